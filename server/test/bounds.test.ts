import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../src/http/catalogue.ts';
import { isOversized, SHAPE, type Shape } from '../src/http/shape.ts';
import { type InputSchema, validate } from '../src/http/validate.ts';
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

/** A value just larger than the shape lets pass, for every place in it that may be large. */
function oversized(shape: Shape): unknown[] {
  if (shape.type === 'string') return ['\u0301'.repeat(shape.maxLength * 4 + 1)];
  if (shape.type === 'array')
    return [Array(shape.maxItems + 1).fill(0), ...oversized(shape.items).map((item) => [item])];
  if (shape.type !== 'object') return [];
  const wide = Object.fromEntries(Array.from({ length: shape.maxProperties + 1 }, (_, i) => [`name${i}`, 0]));
  const inner = Object.entries(shape.properties ?? {});
  return [wide, ...inner.flatMap(([name, each]) => oversized(each).map((value) => ({ [name]: value })))];
}

/** Whether a shape says how large its values may be, all the way down. */
function isBounded(shape: Shape): boolean {
  if (shape.type === 'string') return Number.isInteger(shape.maxLength);
  if (shape.type === 'array') return Number.isInteger(shape.maxItems) && isBounded(shape.items);
  if (shape.type === 'object')
    return Number.isInteger(shape.maxProperties) && Object.values(shape.properties ?? {}).every(isBounded);
  return true;
}

describe('size limits of input', () => {
  test('every field of every call and event has a limit, and none is a wildcard', () => {
    const fields = everyInputSchema().flatMap(([name, rules]) =>
      Object.entries(rules).map(([path, field]) => ({ field: `${name}: ${path}`, shape: field[SHAPE] })),
    );
    expect(fields.length).toBeGreaterThan(150);
    expect(fields.filter(({ shape }) => !isBounded(shape)).map(({ field }) => field)).toEqual([]);
    expect(fields.filter(({ field }) => field.includes('*')).map(({ field }) => field)).toEqual([]);
  });

  test('a field above its limit is refused before it is validated or sanitized', async () => {
    const passed: string[] = [];
    for (const [name, rules] of everyInputSchema()) {
      for (const [path, field] of Object.entries(rules)) {
        for (const value of oversized(field[SHAPE])) {
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
