import { type Audience, catalogue, type InputSchema, objectSchemaOf, type RegisteredCall } from '#platform/http';
import type { DocApi, DocEndpoint, DocEndpointGroup, DocParameter } from './contract.ts';
import { SUMMARIES } from './summaries.ts';

/** The chapter of each call, by the first segment of its path, in reading order. */
const CHAPTERS: Record<string, string> = {
  auth: 'Accounts and sessions',
  'api-keys': 'API keys',
  settings: 'Settings',
  sites: 'Sites',
  team: 'Teams',
  invites: 'Invites',
  chats: 'Chats',
  mentions: 'Mentions',
  inbox: 'Inbox',
  'canned-replies': 'Canned replies',
  articles: 'Articles',
  visitors: 'Visitors',
  overview: 'Overview',
  reports: 'Reports',
  notices: 'Notices',
  search: 'Search',
  files: 'Files',
  mail: 'Answers by mail',
  push: 'Push notifications',
  notifications: 'Buttons of notifications',
  'self-check': 'Self-check',
  admin: 'Administration',
  widget: 'Widget',
  docs: 'Documentation',
};

/** The reference of all registered calls, generated from the schemas that validate them, so that the two cannot differ. */
export function reference(): DocApi {
  return {
    title: 'API Reference',
    description: 'The dashboard and the widget use only these calls. Your own programs can use them, too.',
    sections: [
      {
        id: 'conventions',
        title: 'Conventions',
        text: [
          'All paths start with `/api`. Requests and answers are JSON. Ids are strings of 24 hexadecimal digits; times are ISO 8601 in UTC.',
          'A success has `success: true` and `data`. A failure has `success: false`, a text for people in `message`, and a `code` that never changes.',
          'For programs, the same reference is an OpenAPI 3.1 document at `/api/openapi.json`.',
        ],
        code: [
          { language: 'json', code: '{ "success": true, "data": { "sites": [] } }' },
          {
            language: 'json',
            code: '{ "success": false, "code": "CHAT_NOT_FOUND", "message": "This chat does not exist." }',
          },
        ],
      },
      {
        id: 'authorization',
        title: 'Authorization',
        text: [
          'Calls of people have the header `Authorization: Bearer TOKEN`, with the token from `POST /api/auth/login`. Calls of a widget use the `visitorToken` of its session instead.',
          'Programs use an API key in place of the token: it lasts, and you can limit and revoke it. Each call below says which scope a key needs for it; calls without a scope refuse keys.',
        ],
        links: [{ text: 'How to use API keys', href: '/docs?tab=api-keys' }],
      },
      {
        id: 'webhooks',
        title: 'Webhooks',
        text: ['Parley can also call your server when something happens on a website.'],
        links: [{ text: 'Events, bodies and signatures of webhooks', href: '/docs?tab=webhooks' }],
      },
      {
        id: 'statuses',
        title: 'Statuses',
        text: ['What the status of an answer means.'],
        items: [
          '`400` the request cannot be read, or an id is malformed',
          '`401` no session, or it has ended; or the API key is not valid',
          '`403` your role, or the scope of the API key, does not allow it',
          '`404` it does not exist, or you may not see it',
          '`409` a conflict with the current state, such as a chat that somebody else has claimed',
          '`413` too large',
          '`422` a field is not valid; `errors` says which',
          '`429` too many calls; `Retry-After` says how many seconds to wait',
          '`503` not possible right now; try again',
        ],
      },
    ],
    endpoints: groups(),
  };
}

function groups(): DocEndpointGroup[] {
  const all = [...catalogue.calls].map(([name, call]) => endpoint(name, call));
  return Object.entries(CHAPTERS).flatMap(([id, title]) => {
    const endpoints = all.filter(({ path }) => path.split('/')[1] === id);
    return endpoints.length === 0 ? [] : [{ id: `calls-${id}`, title, endpoints }];
  });
}

function endpoint(name: string, { audience, scope, body, query }: RegisteredCall): DocEndpoint {
  const [method = '', route = ''] = name.split(' ');
  return {
    id: name
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .replace(/-$/, ''),
    method,
    path: route.replaceAll(/:(\w+)/g, '{$1}'),
    description: summaryOf(name),
    audience: audience satisfies Audience,
    ...(scope && { scope }),
    parameters: [...inPath(route), ...parametersOf('query', query), ...parametersOf('body', body)],
  };
}

/**
 * A summary of a call in one line.
 * @param name as the contract writes it
 */
export function summaryOf(name: string): string {
  return Object.entries<string>(SUMMARIES).find(([call]) => call === name)?.[1] ?? '';
}

function inPath(route: string): DocParameter[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    type: 'string',
    required: true,
    in: 'path' as const,
    description: '',
  }));
}

interface Schema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

function parametersOf(
  location: 'query' | 'body',
  rules: InputSchema | undefined,
  schema = objectSchemaOf(rules ?? {}) as Schema,
  above = '',
): DocParameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = above + name;
    if (field.properties) return parametersOf(location, undefined, field, `${path}.`);
    const required = schema.required?.includes(name) ?? false;
    return [{ name: path, type: field.type ?? 'any', required, description: boundsOf(field), in: location }];
  });
}

/** The limits of a field as text. */
function boundsOf(field: Schema): string {
  const words = [
    field.format,
    field.enum && `one of ${field.enum.map((each) => `\`${each}\``).join(', ')}`,
    field.minimum !== undefined && `from ${field.minimum}`,
    field.maximum !== undefined && `to ${field.maximum}`,
    field.maxLength !== undefined && `at most ${field.maxLength} characters`,
    field.pattern && `\`${field.pattern}\``,
  ];
  return words.filter(Boolean).join(', ');
}
