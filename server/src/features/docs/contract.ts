import type { ApiKeyScope } from '#features/apikeys/contract';

/** The parts of the documentation beside its overview; the names are the last segment of their address. */
export const DOC_PARTS = [
  'embed-code',
  'install',
  'api-endpoints',
  'javascript-api',
  'api-keys',
  'webhooks',
  'examples',
  'move-in',
  'assistant',
  'departments',
] as const;
export type DocPart = (typeof DOC_PARTS)[number];

/** The placeholder origin in examples; readers replace it with the address of their own server. */
export const DOC_ORIGIN = 'https://chat.example.com';
export const DOC_WIDGET_CODE = 'YOUR_SITE_ID';

/** A snippet that readers can copy. */
export interface DocCode {
  language: 'html' | 'js' | 'jsx' | 'ts' | 'sh' | 'http' | 'json';
  code: string;
}

/** A table. Words between backticks are code, and a cell may have several lines. */
export interface DocTable {
  head: string[];
  rows: string[][];
}

/** The text under one heading. Words between backticks in it are code. */
export interface DocSection {
  /** The anchor. */
  id: string;
  title: string;
  text: string[];
  items?: string[];
  table?: DocTable;
  code?: DocCode[];
  /** Links to pages of this Parley server. */
  links?: { text: string; href: string }[];
}

/** A named value: a data attribute, an argument, or a field of a call. */
export interface DocParameter {
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** Where a call takes it. */
  in?: 'path' | 'query' | 'body';
}

/** A call of the HTTP API. */
export interface DocEndpoint {
  id: string;
  method: string;
  /** The path below `/api`, such as `/chats/{id}`. */
  path: string;
  description: string;
  /** Which token the call requires; `anyone` needs none. */
  audience: 'anyone' | 'staff' | 'visitor';
  /** The scope that an API key needs for it; absent: no API key is accepted. */
  scope?: ApiKeyScope;
  parameters: DocParameter[];
}

/** The calls of the HTTP API about one subject. */
export interface DocEndpointGroup {
  id: string;
  title: string;
  endpoints: DocEndpoint[];
}

/** A method or an event of `window.Parley`. */
export interface DocMethod {
  id: string;
  /** As it is written in code: `open()`. */
  name: string;
  description: string;
  parameters: DocParameter[];
  example: DocCode;
}

/** A tutorial: the steps from a goal to a working result. */
export interface DocTutorial {
  id: string;
  title: string;
  description: string;
  steps: { title: string; text: string; code?: DocCode }[];
}

/** The fields that every page of the documentation has. */
export interface DocPage {
  title: string;
  description: string;
  sections: DocSection[];
}

/** The first page, which links to the others. */
export interface DocOverview extends DocPage {
  version: string;
}

/** How to put the widget on a page. */
export interface DocEmbed extends DocPage {
  parameters: DocParameter[];
}

/** How to install the widget, by the kind of website. */
export interface DocInstall extends DocPage {
  platforms: DocTutorial[];
}

/** The reference of the HTTP API, generated from the schemas that validate its input. */
export interface DocApi extends DocPage {
  endpoints: DocEndpointGroup[];
}

/** What a page can do with its widget. */
export interface DocJavaScript extends DocPage {
  methods: DocMethod[];
  events: DocMethod[];
}

/** Complete examples, step by step. */
export interface DocExamples extends DocPage {
  tutorials: DocTutorial[];
}

/** The endpoints of the documentation. */
export interface DocsApi {
  'GET /docs': { data: DocOverview };
  'GET /docs/embed-code': { data: DocEmbed };
  'GET /docs/api-endpoints': { data: DocApi };
  'GET /docs/javascript-api': { data: DocJavaScript };
  'GET /docs/install': { data: DocInstall };
  'GET /docs/api-keys': { data: DocPage };
  'GET /docs/webhooks': { data: DocPage };
  'GET /docs/examples': { data: DocExamples };
  'GET /docs/move-in': { data: DocPage };
  'GET /docs/assistant': { data: DocPage };
  'GET /docs/departments': { data: DocPage };
}
