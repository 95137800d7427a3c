/** The parts of the documentation beside its overview, as they stand in the address. */
export const DOC_PARTS = ['embed-code', 'api-endpoints', 'javascript-api', 'examples'] as const;
export type DocPart = (typeof DOC_PARTS)[number];

/** What readers put their own values in place of. */
export const DOC_ORIGIN = 'https://chat.example.com';
export const DOC_WIDGET_CODE = 'YOUR_SITE_ID';

/** Something to copy. */
export interface DocCode {
  language: 'html' | 'js' | 'sh' | 'http' | 'json';
  code: string;
}

/** Rows under one head; words between backticks are code, and a cell may have several lines. */
export interface DocTable {
  head: string[];
  rows: string[][];
}

/** A stretch under one heading; words between backticks in its texts are code. */
export interface DocSection {
  /** The anchor. */
  id: string;
  title: string;
  text: string[];
  items?: string[];
  table?: DocTable;
  code?: DocCode[];
  /** Addresses on this Parley. */
  links?: { text: string; href: string }[];
}

/** Something that takes a value: a data attribute, an argument, a field of a call. */
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
  /** As `/chats/{id}`, below `/api`. */
  path: string;
  description: string;
  /** Whose token it asks for; `anyone` needs none. */
  audience: 'anyone' | 'staff' | 'visitor';
  parameters: DocParameter[];
}

/** The calls about one thing. */
export interface DocEndpointGroup {
  id: string;
  title: string;
  endpoints: DocEndpoint[];
}

/** A method or an event of `window.Parley`. */
export interface DocMethod {
  id: string;
  /** As one writes it: `open()`. */
  name: string;
  description: string;
  parameters: DocParameter[];
  example: DocCode;
}

/** A way from a wish to its fulfilment. */
export interface DocTutorial {
  id: string;
  title: string;
  description: string;
  steps: { title: string; text: string; code?: DocCode }[];
}

/** What every page of the documentation has. */
export interface DocPage {
  title: string;
  description: string;
  sections: DocSection[];
}

/** The page that leads to the others. */
export interface DocOverview extends DocPage {
  version: string;
}

/** How to put the widget on a page. */
export interface DocEmbed extends DocPage {
  parameters: DocParameter[];
}

/** The HTTP API, made from the rules that check it. */
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

/** The calls of the documentation. */
export interface DocsApi {
  'GET /docs': { data: DocOverview };
  'GET /docs/embed-code': { data: DocEmbed };
  'GET /docs/api-endpoints': { data: DocApi };
  'GET /docs/javascript-api': { data: DocJavaScript };
  'GET /docs/examples': { data: DocExamples };
}
