import fc, { type Arbitrary } from 'fast-check';
import { JSON_SCHEMA, type JsonSchema } from '../../src/platform/http/endpoint/jsonSchema.ts';
import type { InputSchema } from '../../src/platform/http/endpoint/validate.ts';

/** What an attacker, a broken client or a curious person puts where a value belongs. */
const HOSTILE: unknown[] = [
  null,
  true,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' \n\t ',
  '\0',
  'a\0b',
  '\uD800',
  '\uDC00lone',
  '\u202Egnirts\u202C',
  '\u200B\u200D\uFEFF',
  'x'.repeat(20_000),
  '👩‍👩‍👧‍👦'.repeat(200),
  '.*',
  '(a+)+$',
  '$where',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00%2e%2e',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  "'; DROP TABLE chats; --",
  '2026-13-45',
  [],
  [[]],
  ['a', 'b'],
  {},
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { $regex: '.*' },
  { _bsontype: 'ObjectId', id: 'a' },
  { toString: 'x', valueOf: 1 },
  { length: 1e9 },
  JSON.parse('{"__proto__": {"admin": true}}'),
  deep(200),
];

function deep(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value };
  return value;
}

/** Any value that may come over the wire. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
);

/** A value of a field's schema, so that the fields beside a hostile one get past their rules. */
function fitting(schema: JsonSchema, ids: string[]): Arbitrary<unknown> {
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 100 });
  if (schema.type === 'array') return fc.array(fitting(schema.items, ids), { maxLength: 3 });
  if (schema.type === 'object') return fittingObject(schema.properties ?? {}, ids);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.pattern?.includes('24')) return fc.constantFrom(...ids);
  return fc.string({ minLength: 1, maxLength: Math.min(schema.maxLength, 40) });
}

function fittingObject(properties: Record<string, JsonSchema>, ids: string[]): Arbitrary<unknown> {
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, fitting(each, ids)])));
}

/** A body, query or payload by its rules, with hostile values here and there and something unasked for. */
export function inputs(rules: InputSchema, ids: string[]): Arbitrary<unknown> {
  const fields = Object.entries(rules);
  const values = fields.map(([, field]) =>
    fc.oneof(
      { weight: 3, arbitrary: fitting(field[JSON_SCHEMA], ids) },
      { weight: 2, arbitrary: hostile },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
  );
  const whole = fc.tuple(fc.tuple(...values), hostile).map(([given, extra]) => {
    const body: Record<string, unknown> = { unasked: extra };
    fields.forEach(([path], i) => void place(body, path.split('.'), given[i]));
    return body;
  });
  return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: hostile });
}

function place(into: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (value === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  into[name] ??= {};
  place(into[name] as Record<string, unknown>, rest, value);
}
