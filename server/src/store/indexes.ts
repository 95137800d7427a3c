import { cutKey, EMPTY_ARRAY_KEY, invertKey, valueKey } from './bson/keys.ts';
import { type Doc, getOwn, isDoc } from './bson/values.ts';
import { CommandError } from './errors.ts';
import type { Filter } from './query/filter.ts';
import { matches } from './query/match.ts';

/** Bytes reserved for the document's own key in an index entry; LMDB takes keys of 1,978 bytes. */
export const ID_KEY_LIMIT = 256;
/** Bytes for all fields of an index entry together. */
const FIELDS_KEY_LIMIT = 1700;

export interface IndexField {
  path: string;
  parts: string[];
  descending: boolean;
}

export interface Index {
  id: number;
  name: string;
  /** In the order of the file, without an `_id` at the end: every entry ends with it, ascending. */
  fields: IndexField[];
  /** The file holds the entries in the reverse order of the definition, which ends with a descending `_id`. */
  turned: boolean;
  /** `_id` is one of its fields, so every document has a value. */
  hasId: boolean;
  /** The prefix of all its entries. */
  space: Buffer;
  /** The definition as listIndexes returns it. */
  spec: Doc;
  unique: boolean;
  sparse: boolean;
  partial: Filter | undefined;
  /** The top-level fields of a document from which its entries are made. */
  roots: Set<string>;
  expireAfterSeconds: number | undefined;
  /** It does not have the entries of all documents yet: writes maintain it, but queries do not use it. */
  building: boolean;
  /**
   * For each field, at which depths of its path some document has an array: bit 0 is the first name of the path. Never cleared.
   * A field without a bit has one value in each document, whatever the other fields have.
   */
  arrays: number[];
  /** Some key was cut, so the order after the cut is not the order of the values. Never cleared. */
  cut: boolean;
}

/** The entries of one document in one index: the values of its fields, and the key made of them. */
export interface IndexKey {
  key: Buffer;
  values: unknown[];
}

export interface DocKeys {
  keys: IndexKey[];
  /** as `Index.arrays`, for this document */
  arrays: number[];
  cut: boolean;
}

/** Whether some document has several entries in this index. */
export function hasArrays({ arrays }: Pick<Index, 'arrays'>): boolean {
  return arrays.some((depths) => depths !== 0);
}

/**
 * Whether two fields of an index pass through the same array. Then each entry holds the values of one element for both
 * fields.
 */
export function shareArray({ fields, arrays }: Index, a: number, b: number): boolean {
  const [one, other] = [fields[a]?.parts ?? [], fields[b]?.parts ?? []];
  const both = (arrays[a] ?? 0) & (arrays[b] ?? 0);
  for (let depth = 0; depth < Math.min(one.length, other.length) && one[depth] === other[depth]; depth++)
    if (both & (1 << Math.min(depth, DEEPEST_BIT))) return true;
  return false;
}

/** How many bytes one field may take in an entry of this index. */
export function fieldLimit(index: Index): number {
  return Math.floor(FIELDS_KEY_LIMIT / index.fields.length);
}

/** The top-level fields of a document on which the entries of an index with these fields and this filter depend. */
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

/** Whether `doc`, made from `old`, has identical values in all `roots` of the index, so that its entries stay as they are. */
export function isUntouched({ roots }: Index, old: Doc, doc: Doc): boolean {
  for (const root of roots) if (getOwn(old, root) !== getOwn(doc, root)) return false;
  return true;
}

/**
 * The document with only those elements of an array that were appended to `old`, if nothing else has changed for the index. Its
 * entries are those that the index lacks, so that a long array costs no more than what is appended to it.
 */
export function appendedOnly({ roots, partial }: Index, old: Doc, doc: Doc): Doc | undefined {
  const changed = [...roots].filter((root) => getOwn(old, root) !== getOwn(doc, root));
  const root = changed[0];
  // the filter of a partial index is about the whole array
  if (root === undefined || changed.length > 1 || partial) return undefined;
  const [before, after] = [getOwn(old, root), getOwn(doc, root)];
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  // an empty array has an entry, too, which the first element replaces
  if (before.length === 0 || after.length <= before.length) return undefined;
  if (before.some((element, i) => element !== after[i])) return undefined;
  return { ...doc, [root]: after.slice(before.length) };
}

const EMPTY_ARRAY = Symbol('empty array');

/**
 * The keys of a document in an index.
 * @throws CommandError 171 if two fields of the index are different arrays
 */
export function keysOf(index: Index, doc: Doc): DocKeys {
  const result: DocKeys = { keys: [], arrays: index.fields.map(() => 0), cut: false };
  if (index.partial && !matches(index.partial, doc)) return result;
  const rows: unknown[][] = [];
  rowsOf(index.fields, doc, rows, result.arrays);
  const seen = rows.length > 1 ? new Set<string>() : undefined;
  for (const values of rows) {
    if (index.sparse && !index.hasId && values.every((value) => value === undefined)) continue;
    const key = rowKey(index, values, result);
    if (!seen || isFirst(seen, key)) result.keys.push({ key, values });
  }
  return result;
}

function isFirst(seen: Set<string>, key: Buffer): boolean {
  const { size } = seen;
  return seen.add(key.toString('latin1')).size > size;
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

/** The sort key of a document: the smallest of its keys, not cut. */
export function sortKey(fields: IndexField[], doc: Doc): Buffer {
  const rows: unknown[][] = [];
  rowsOf(fields, doc, rows, []);
  let least: Buffer | undefined;
  for (const values of rows) {
    const key = Buffer.concat(
      fields.map(({ descending }, i) => (descending ? invertKey(slotKey(values[i])) : slotKey(values[i]))),
    );
    if (!least || Buffer.compare(key, least) < 0) least = key;
  }
  return least ?? Buffer.alloc(0);
}

/**
 * Adds to `rows` every combination of the fields' values in a document, and to `arrays` the places where arrays were found.
 */
function rowsOf(fields: IndexField[], doc: Doc, rows: unknown[][], arrays: number[]): void {
  expandRows(
    fields.map(({ parts }) => ({ value: doc, parts, at: 0 })),
    rows,
    arrays,
  );
}

/**
 * The position of one index field while the document is walked. When `at` is past the end of the path, the value is reached.
 */
interface Slot {
  value: unknown;
  parts: string[];
  at: number;
}

const REACHED = Number.MAX_SAFE_INTEGER;

/** Arrays deeper than this are all recorded in one bit. */
const DEEPEST_BIT = 30;

/**
 * Collects the combinations of values of a document. Arrays that several fields share are walked together, element by
 * element.
 */
function expandRows(slots: Slot[], rows: unknown[][], arrays: number[]): void {
  const walked = slots.map(walk);
  const met = walked.filter(({ at }) => at !== REACHED).map(({ value }) => value);
  const [array] = met as unknown[][];
  if (!array) {
    rows.push(walked.map(({ value }) => value));
    return;
  }
  if (met.some((other) => other !== array)) throw parallelArrays(walked);
  for (const [i, { at }] of walked.entries())
    if (at !== REACHED) arrays[i] = (arrays[i] ?? 0) | (1 << Math.min(at - 1, DEEPEST_BIT));
  const elements = array.length > 0 ? array : [EMPTY_ARRAY];
  for (const element of elements)
    expandRows(
      walked.map((slot) => enter(slot, element)),
      rows,
      arrays,
    );
}

function parallelArrays(slots: Slot[]): CommandError {
  const names = slots.filter(({ at }) => at !== REACHED).map(({ parts }) => `[${parts.join('.')}]`);
  return new CommandError(171, `cannot index parallel arrays ${names.slice(0, 2).join(' ')}`);
}

/** Goes down the documents of a path until the value or an array is reached. */
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
