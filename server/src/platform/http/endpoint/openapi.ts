import { API_KEY_PREFIX, API_KEY_SCOPES } from '#features/apikeys/contract';
import manifest from '../../../../package.json' with { type: 'json' };
import { catalogue, type RegisteredCall } from './catalogue.ts';
import { objectSchemaOf } from './jsonSchema.ts';

const STATUS_TEXTS = {
  400: 'The request cannot be read, or an id is malformed.',
  401: 'No session, or it has ended; or the API key is not valid.',
  403: 'The role of the caller, or the scope of the API key, does not allow it.',
  404: 'It does not exist, or the caller may not see it.',
  409: 'A conflict with the current state.',
  413: 'The request is too large.',
  422: 'A field is not valid; `errors` says which.',
  429: 'Too many calls; try again after `retryAfter` seconds.',
  503: 'Not possible right now; try again.',
} as const;

/** What a message is made of; see `MessageParts`. */
const parts = {
  text: { type: 'string', description: 'The message with placeholders like {name}; only if it has values' },
  values: { type: 'object', description: 'What stands in the placeholders; an object has a text of its own' },
};

const failure = {
  type: 'object',
  required: ['success', 'message', 'code'],
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'A text to show to people, in English' },
    ...parts,
    code: { type: 'string', description: 'A name for programs, which never changes' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { msg: { type: 'string' }, ...parts, path: { type: 'string' } } },
    },
    retryAfter: { type: 'integer', description: 'Seconds' },
    requestId: { type: 'string' },
  },
};

const success = {
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, message: { type: 'string' }, data: { type: 'object' } },
};

/**
 * The OpenAPI 3.1 document of all registered calls, made from the same rules that validate them.
 * @param summaryOf describes a call in one line
 * @param webhooks the requests that this server makes itself
 * @see https://spec.openapis.org/oas/v3.1.0
 */
export function openApi(summaryOf: (name: string) => string, webhooks: object): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, call] of [...catalogue.calls].sort(([a], [b]) => a.localeCompare(b))) {
    const [method = '', route = ''] = name.split(' ');
    const path = route.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: { summary: summaryOf(name), ...operation(name, route, call) },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: manifest.version,
      description: 'Live chat: accounts, sites, teams, chats, and the widget.',
    },
    servers: [{ url: '/api' }],
    paths,
    webhooks,
    components: {
      schemas: { Success: success, Failure: failure },
      securitySchemes: {
        staff: { type: 'http', scheme: 'bearer', description: 'The token of a signed-in team member' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${API_KEY_PREFIX}ID_SECRET`,
          description: `An API key. A call lists the scope that it needs; the scopes are ${API_KEY_SCOPES.join(', ')}, each with everything before it. Calls without this scheme refuse API keys.`,
        },
        visitor: { type: 'http', scheme: 'bearer', description: "The visitorToken of a widget's session" },
      },
    },
  };
}

function operation(
  name: string,
  route: string,
  { audience, scope, body, query, files, upload }: RegisteredCall,
): object {
  const answer = (schema: string, description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  return {
    operationId: name,
    tags: [route.split('/')[1]],
    security: audience === 'anyone' ? [] : [{ [audience]: [] }, ...(scope ? [{ apiKey: [scope] }] : [])],
    parameters: [...pathParameters(route), ...queryParameters(query)],
    ...(body ? { requestBody: { content: { 'application/json': { schema: objectSchemaOf(body) } } } } : {}),
    ...(upload ? { requestBody: { required: true, ...file(['*/*']) } } : {}),
    responses: {
      '2XX': files ? file(files) : answer('Success', 'Done'),
      ...Object.fromEntries(Object.entries(STATUS_TEXTS).map(([status, text]) => [status, answer('Failure', text)])),
    },
  };
}

function file(types: readonly string[]): object {
  const schema = { type: 'string', format: 'binary' };
  return { description: 'The file', content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function pathParameters(route: string): object[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: RegisteredCall['query']): object[] {
  const { properties = {} } = objectSchemaOf(query ?? {}) as { properties?: Record<string, object> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}
