import { cutKey, EMPTY_ARRAY_KEY, invertKey, valueKey } from './bson/keys.ts';
import { type Doc, getOwn, isDoc } from './bson/values.ts';
import { CommandError } from './errors.ts';
import type { Filter } from './query/filter.ts';
import { matches } from './query/match.ts';

/** Room for the document's own key at the end of an index entry; LMDB takes keys of 1,978 bytes. */
export const ID_KEY_LIMIT = 256;
/** Room for all fields of an index entry together. */
const FIELDS_KEY_LIMIT = 1700;

export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

export interface Index {
  id: number;
  name: string;
  fields: IndexField[];
  /** the definition as listIndexes gives it */
  spec: Doc;
  unique: boolean;
  sparse: boolean;
  partial: Filter | undefined;
  /** the documents' own fields that its entries hang on */
  roots: Set<string>;
  expireAfterSeconds: number | undefined;
  /** some document has an array at an indexed path; never cleared */
  multikey: boolean;
  /** some key was cut, so that order after the cut is not the values' order; never cleared */
  cut: boolean;
}

/** The entries of one document in one index: the values of its fields, and the key made of them. */
export interface IndexKey {
  key: Buffer;
  values: unknown[];
}

export interface DocKeys {
  keys: IndexKey[];
  multikey: boolean;
  cut: boolean;
}

/** Bytes that one field may take in an entry of this index. */
export function fieldLimit(index: Index): number {
  return Math.floor(FIELDS_KEY_LIMIT / index.fields.length);
}

/** The documents' own fields that the entries of an index with these fields and this filter hang on. */
export function rootsOf(fields: IndexField[], partial: Filter | undefined): Set<string> {
  const roots = new Set(partial ? filterRoots(partial) : []);
  for (const { parts } of fields) roots.add(parts[0] as string);
  return roots;
}

function filterRoots(filter: Filter): string[] {
  switch (filter.kind) {
    case 'leaf':
    case 'elemMatch':
      return [filter.parts[0] as string];
    case 'and':
    case 'or':
    case 'nor':
      return filter.filters.flatMap(filterRoots);
    case 'not':
      return filterRoots(filter.filter);
    case 'never':
      return [];
  }
}

/** Whether `doc`, which came of `old`, has the very same values wherever the index looks: so it has its entries already. */
export function isUntouched({ roots }: Index, old: Doc, doc: Doc): boolean {
  for (const root of roots) if (getOwn(old, root) !== getOwn(doc, root)) return false;
  return true;
}

const EMPTY_ARRAY = Symbol('empty array');

/** The keys of a document in an index. Throws 171 where two fields of the index are different arrays. */
export function keysOf(index: Index, doc: Doc): DocKeys {
  const result: DocKeys = { keys: [], multikey: false, cut: false };
  if (index.partial && !matches(index.partial, doc)) return result;
  const rows: unknown[][] = [];
  result.multikey = rowsOf(index.fields, doc, rows);
  const seen = new Set<string>();
  for (const values of rows) {
    if (index.sparse && values.every((value) => value === undefined)) continue;
    const key = rowKey(index, values, result);
    const text = key.toString('latin1');
    if (!seen.has(text)) result.keys.push({ key, values });
    seen.add(text);
  }
  return result;
}

function rowKey(index: Index, values: unknown[], result: DocKeys): Buffer {
  const limit = fieldLimit(index);
  const pieces = index.fields.map(({ descending }, i) => {
    const whole = slotKey(values[i]);
    if (whole.length > limit) result.cut = true;
    const piece = cutKey(whole, limit);
    return descending ? invertKey(piece) : piece;
  });
  return Buffer.concat(pieces);
}

function slotKey(value: unknown): Buffer {
  return value === EMPTY_ARRAY ? EMPTY_ARRAY_KEY : valueKey(value);
}

/** Where a document stands in a sort: the least of its keys, uncut. */
export function sortKey(fields: IndexField[], doc: Doc): Buffer {
  const rows: unknown[][] = [];
  rowsOf(fields, doc, rows);
  let least: Buffer | undefined;
  for (const values of rows) {
    const key = Buffer.concat(
      fields.map(({ descending }, i) => (descending ? invertKey(slotKey(values[i])) : slotKey(values[i]))),
    );
    if (!least || Buffer.compare(key, least) < 0) least = key;
  }
  return least ?? Buffer.alloc(0);
}

/** Fills `rows` with the combinations of values that the fields have in a document; says whether arrays were met. */
function rowsOf(fields: IndexField[], doc: Doc, rows: unknown[][]): boolean {
  return expandRows(
    fields.map(({ parts }) => ({ value: doc, parts, at: 0 })),
    rows,
  );
}

/** One field of the index on its way down the document. `at` beyond the path: the value is reached. */
interface Slot {
  value: unknown;
  parts: string[];
  at: number;
}

const REACHED = Number.MAX_SAFE_INTEGER;

/** Collects the combinations of values that a document gives; arrays that several fields go through are walked together. */
function expandRows(slots: Slot[], rows: unknown[][]): boolean {
  const walked = slots.map(walk);
  const arrays = new Set(walked.filter(({ at }) => at !== REACHED).map(({ value }) => value));
  if (arrays.size === 0) {
    rows.push(walked.map(({ value }) => value));
    return false;
  }
  if (arrays.size > 1) throw parallelArrays(walked);
  const [array] = arrays as Set<unknown[]>;
  const elements = array?.length ? array : [EMPTY_ARRAY];
  for (const element of elements)
    expandRows(
      walked.map((slot) => enter(slot, element)),
      rows,
    );
  return true;
}

function parallelArrays(slots: Slot[]): CommandError {
  const names = slots.filter(({ at }) => at !== REACHED).map(({ parts }) => `[${parts.join('.')}]`);
  return new CommandError(171, `cannot index parallel arrays ${names.slice(0, 2).join(' ')}`);
}

/** Goes down documents until the value is reached or an array stands in the way. */
function walk(slot: Slot): Slot {
  let { value, at } = slot;
  if (at === REACHED) return slot;
  while (at < slot.parts.length && isDoc(value)) value = getOwn(value, slot.parts[at++] as string);
  if (Array.isArray(value)) return { ...slot, value, at };
  return { ...slot, value: at < slot.parts.length ? undefined : value, at: REACHED };
}

function enter(slot: Slot, element: unknown): Slot {
  if (slot.at === REACHED) return slot;
  if (slot.at >= slot.parts.length) return { ...slot, value: element, at: REACHED };
  return isDoc(element) ? { ...slot, value: element } : { ...slot, value: undefined, at: REACHED };
}
