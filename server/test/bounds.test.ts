import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../src/platform/http/endpoint/catalogue.ts';
import { isOversized, JSON_SCHEMA, type JsonSchema } from '../src/platform/http/endpoint/jsonSchema.ts';
import { type InputSchema, validate } from '../src/platform/http/endpoint/validate.ts';
import { createSite, signUp, visit } from './factories.ts';
import { startServer, type TestServer } from './harness.ts';
import { connectStaff, connectVisitor, hangUp } from './sockets.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const owner = await signUp(server.api);
  const site = await createSite(server.api, owner.token);
  // a socket's events are wired when the first one comes
  await connectStaff(server.url, owner.token);
  await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

/** Every set of rules of the catalogue, by the name of its call or event. */
function everyInputSchema(): [string, InputSchema][] {
  return [
    ...[...catalogue.calls].flatMap(([name, { body, query }]): [string, InputSchema][] => [
      [`${name}, body`, body ?? {}],
      [`${name}, query`, query ?? {}],
    ]),
    ...catalogue.staffEvents,
    ...[...catalogue.visitorEvents].map(([name, rules]): [string, InputSchema] => [`visitor's ${name}`, rules]),
  ];
}

/** A value just larger than the schema lets pass, for every place in it that may be large. */
function oversized(schema: JsonSchema): unknown[] {
  if (schema.type === 'string') return ['\u0301'.repeat(schema.maxLength * 4 + 1)];
  if (schema.type === 'array')
    return [Array(schema.maxItems + 1).fill(0), ...oversized(schema.items).map((item) => [item])];
  if (schema.type !== 'object') return [];
  const wide = Object.fromEntries(Array.from({ length: schema.maxProperties + 1 }, (_, i) => [`name${i}`, 0]));
  const inner = Object.entries(schema.properties ?? {});
  return [wide, ...inner.flatMap(([name, each]) => oversized(each).map((value) => ({ [name]: value })))];
}

/** Whether a schema says how large its values may be, all the way down. */
function isBounded(schema: JsonSchema): boolean {
  if (schema.type === 'string') return Number.isInteger(schema.maxLength);
  if (schema.type === 'array') return Number.isInteger(schema.maxItems) && isBounded(schema.items);
  if (schema.type === 'object')
    return Number.isInteger(schema.maxProperties) && Object.values(schema.properties ?? {}).every(isBounded);
  return true;
}

describe('size limits of input', () => {
  test('every field of every call and event has a limit, and none is a wildcard', () => {
    const fields = everyInputSchema().flatMap(([name, rules]) =>
      Object.entries(rules).map(([path, field]) => ({ field: `${name}: ${path}`, schema: field[JSON_SCHEMA] })),
    );
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter(({ schema }) => !isBounded(schema)).map(({ field }) => field)).toEqual([]);
    expect(fields.filter(({ field }) => field.includes('*')).map(({ field }) => field)).toEqual([]);
  });

  test('a field above its limit is refused before it is validated or sanitized', async () => {
    const passed: string[] = [];
    for (const [name, rules] of everyInputSchema()) {
      for (const [path, field] of Object.entries(rules)) {
        for (const value of oversized(field[JSON_SCHEMA])) {
          const looked = { count: 0 };
          const watched = {
            [path]: { ...field, customSanitizer: undefined, custom: { options: () => ++looked.count } },
          };
          const input = path.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
          const answer = await validate(watched as unknown as InputSchema, input).catch((error) => error);
          const refused = answer.status === 422 && answer.errors[0].path === path && answer.message.length > 10;
          if (!refused || looked.count > 0) passed.push(`${name}: ${path}`);
        }
      }
    }
    expect(passed).toEqual([]);
  });

  test('a list that is too long is refused without reading its items', () => {
    const items = Object.assign(Array(1_000).fill(0), { some: () => expect.unreachable() });
    expect(isOversized({ type: 'array', maxItems: 10, items: { type: 'integer' } }, items)).toBe(true);
  });
});
