import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '../../src/platform/http/endpoint/jsonSchema.ts';
import { PASSWORD } from '../factories.ts';
import type { JsonSchemas } from './measured.ts';

/** All different: names of hosts are written in ASCII at the square of how many different ones there are. */
export const CJK = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + i));
/** Marks of falling order: normalising has to sort them. */
export const MARKS = '\u0301\u0323\u031b\u0334';

/** What runs of are slow somewhere: in patterns, in normalising, in splitting words, in links, in names of hosts, in layouts. */
export const UNITS = [
  ...['a', ' ', '/', '.', '@', '!', '(', ')', '[', '0', '-', '%', '"', '<', '\\', '\n', '$', '_', '#'],
  ...['\u0301', 'a\u0301', MARKS, CJK, '한', 'ü', '\uFDFA', '\u200d', '\u202e', 'क्', '👩‍👩‍👧‍👦', '🇩🇪', 'ﷺ ', 'שא '],
  ...['a ', 'a.', '!)', '(!', 'www.', 'http://x/(', 'https://a.b/ ', 'a@', '<a>', 'a,', '=;', 'xn--', 'order '],
];

/** So much of a unit, in UTF-16 units. */
export function run(unit: string, length: number): string {
  return unit.repeat(Math.ceil(Math.max(0, length) / unit.length)).slice(0, Math.max(0, length));
}

const HUGE = 30_000;
const LIST_LONG = 16_000;
const KEYS_MANY = 6_000;
const DEEP = 2_000;

/** Values that get past the field's own rule, by its name; everything else follows from its schema. */
const FITTING: Record<string, unknown> = {
  tz: 'UTC',
  timeZone: 'UTC',
  domain: 'shop.example.com',
  section: 'account',
  language: 'en',
  hours: null,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  newPassword: PASSWORD,
  url: 'https://shop.example.com/',
  category: null,
  host: null,
  handle: '',
  lang: 'en',
};

function fitting(name: string, schema: JsonSchema, ids: string[]): unknown {
  const last = name.split('.').at(-1) ?? '';
  if (last in FITTING) return FITTING[last];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer') return schema.minimum ?? 1;
  if (schema.type === 'array') return [];
  if (schema.type === 'object') return {};
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'uuid') return randomUUID();
  if (schema.format === 'email') return 'ana@example.com';
  if (schema.format === 'date') return '2026-05-31';
  if (schema.pattern?.includes('24')) return ids[0];
  return 'order';
}

/** A text that its rule takes whatever is in it. */
const isFree = (name: string, schema: JsonSchema) =>
  schema.type === 'string' &&
  !schema.enum &&
  !schema.format &&
  !schema.pattern &&
  !((name.split('.').at(-1) ?? '') in FITTING);

/** A body, query or payload that was made to be slow, and what it was made of. */
export interface Hostile {
  what: string;
  input: unknown;
}

function inputOf(schemas: JsonSchemas, ids: string[], replaced: Record<string, unknown>): object {
  const input = {};
  for (const [name, schema] of Object.entries(schemas))
    place(input, name.split('.'), name in replaced ? replaced[name] : fitting(name, schema, ids));
  return input;
}

function place(into: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  into[name] ??= {};
  place(into[name] as Record<string, unknown>, rest, value);
}

/** Inputs with long runs of this unit: as long as may be, as long as is looked at, and far longer. */
export function* runsIn(schemas: JsonSchemas, ids: string[], unit: string): Generator<Hostile> {
  const texts = Object.entries(schemas).filter(([, schema]) => schema.type === 'string');
  const free = texts.filter(([name, schema]) => isFree(name, schema));
  const filled = (factor: number, [open, close] = ['', '']) =>
    Object.fromEntries(
      free.map(([name, schema]) => [
        name,
        open + run(unit, lengthOf(schema) * factor - open.length - close.length) + close,
      ]),
    );
  const name = JSON.stringify(unit.slice(0, 20));
  if (free.length > 0) {
    yield { what: `runs of ${name}`, input: inputOf(schemas, ids, filled(1)) };
    yield { what: `words around ${name}`, input: inputOf(schemas, ids, filled(1, ['o', 'rder'])) };
  }
  for (const [field, schema] of texts)
    for (const length of [lengthOf(schema), lengthOf(schema) * 4, HUGE])
      yield { what: `${field} of ${length} ${name}`, input: inputOf(schemas, ids, { [field]: run(unit, length) }) };
  for (const [field, schema] of Object.entries(schemas))
    if (schema.type === 'array' && schema.items.type === 'string') {
      const items = Array(schema.maxItems).fill(run(unit, lengthOf(schema.items) * 4));
      yield { what: `${field} of long ${name}`, input: inputOf(schemas, ids, { [field]: items }) };
    }
}

const lengthOf = (schema: JsonSchema) => (schema.type === 'string' ? (schema.maxLength ?? 1_000) : 0);

/** Inputs whose structure is the trouble. */
export function* structuresIn(schemas: JsonSchemas, ids: string[]): Generator<Hostile> {
  const wide = Object.fromEntries(Array.from({ length: KEYS_MANY }, (_, i) => [`key${i}`, 0]));
  const structures: [string, unknown][] = [
    ['a long list of numbers', Array(LIST_LONG).fill(0)],
    ['a long list of objects', Array(LIST_LONG / 2).fill({})],
    ['a long list of lists', Array(LIST_LONG / 2).fill([])],
    ['a long list of ids', Array(1_500).fill(ids[0])],
    ['many keys', wide],
    ['deep lists', JSON.parse(`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)],
    ['deep objects', JSON.parse(`${'{"a":'.repeat(DEEP)}0${'}'.repeat(DEEP)}`)],
    ['many keys in one path', { 'a.b.c.d': wide, 'a[b][c]': wide }],
  ];
  for (const [what, input] of structures) {
    yield { what, input };
    for (const field of Object.keys(schemas))
      yield { what: `${field}: ${what}`, input: inputOf(schemas, ids, { [field]: input }) };
  }
}

/** Headers that servers and their libraries read, and what makes them work hard. */
export const HEADERS = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Content-Type',
    'Cookie',
    'If-None-Match',
    'Origin',
  ],
  ...['Range', 'Referer', 'User-Agent', 'X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'Cache-Control', 'Host'],
];
export const HEADER_UNITS = [
  ...['a', ' ', ',', ';', '=', '"', '/', 'a,', 'a;', 'a/b,', '*/*,', 'text/html;q=0.1,', 'W/"a",', '1.2.3.4,', '::1, '],
  ...['0-0,', 'a=b; ', '\\"', '\t', 'ü', 'ü.', '(', 'Version/1 ', 'iPad ', 'bot ', 'http://', '%41', ' no-cache,', '-'],
];

/** Addresses below a path; they are sent as they are. */
export function* addressesBelow(path: string): Generator<string> {
  for (const unit of ['/', 'a', '%2F', '%CC%81', '.', '../', './', '%', '//', 'a/', ';', '%00', '*', '+', '(']) {
    yield path + run(unit, 15_000);
    yield `${path}${run(unit, 900)}x`;
    yield `${path}?q=${run(unit, 7_000)}`;
  }
  for (const unit of ['a&', 'a=b&', 'q=a&', '&', 'a[a]&', '[', '[a]', 'q[]=1&', 'a.', '__proto__[x]=1&']) {
    yield `${path}?${run(unit, 7_000)}`;
    yield `${path}?q${run(unit, 15_000)}`;
  }
}
