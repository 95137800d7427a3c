import { ObjectId } from 'bson';
import { equal } from '../bson/keys.ts';
import { fieldBytes, joinFields, rawFields } from '../bson/raw.ts';
import { clone, type Doc, encode, getOwn, isDoc, setOwn } from '../bson/values.ts';
import { badValue, CommandError, failedToParse, unsupported } from '../errors.ts';
import type { Filter, Leaf } from '../query/filter.ts';
import { conjuncts } from '../query/implies.ts';
import { noPosition, type Position } from '../query/match.ts';
import { type Change, changeOf } from './operators.ts';
import { concretePath, spotOf, write } from './paths.ts';

interface Modification {
  path: string;
  parts: string[];
  onInsert: boolean;
  change: Change;
}

/** A parsed update: a complete new document, or changes at paths. */
export interface Update {
  replacement: Doc | undefined;
  modifications: Modification[];
  /** A path names the array element that the filter matched (`$`). */
  positional: boolean;
}

/** Parses the update of an update or findAndModify command. */
export function parseUpdate(update: unknown, now: Date): Update {
  if (Array.isArray(update)) throw unsupported('An update with an aggregation pipeline');
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  const names = Object.keys(update);
  if (!names.some((name) => name.startsWith('$'))) {
    return { replacement: update, modifications: [], positional: false };
  }
  const modifications = names.flatMap((operator) => parseOperator(operator, update[operator], now));
  checkConflicts(modifications);
  modifications.sort((a, b) => comparePaths(a.parts, b.parts));
  const positional = modifications.some(({ parts }) => parts.includes('$'));
  return { replacement: undefined, modifications, positional };
}

function parseOperator(operator: string, fields: unknown, now: Date): Modification[] {
  if (!operator.startsWith('$')) changeOf(operator, '', undefined, now);
  if (!isDoc(fields)) {
    throw failedToParse(
      `Modifiers operate on fields but we found type ${typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${JSON.stringify(fields)}}`,
    );
  }
  return Object.entries(fields).map(([path, operand]) => {
    const parts = path.split('.');
    checkPath(path, parts);
    return { path, parts, onInsert: operator === '$setOnInsert', change: changeOf(operator, path, operand, now) };
  });
}

function checkPath(path: string, parts: string[]): void {
  if (parts.includes(''))
    throw badValue(`The update path '${path}' contains an empty field name, which is not allowed.`);
  if (parts[0]?.startsWith('$')) {
    throw new CommandError(
      52,
      `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  }
  if (parts.some((part) => part.startsWith('$['))) throw unsupported('A path with $[]');
  const odd = parts.find((part) => part.startsWith('$') && part !== '$');
  if (odd) throw new CommandError(52, `The dollar ($) prefixed field '${odd}' in '${path}' is not valid for storage.`);
}

function checkConflicts(modifications: Modification[]): void {
  const paths = modifications.map(({ path }) => path).sort();
  const seen = new Set<string>();
  for (const path of paths) {
    const parts = path.split('.');
    const clash = parts.map((_, i) => parts.slice(0, i + 1).join('.')).find((part) => seen.has(part));
    if (clash !== undefined) {
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${clash}'`);
    }
    seen.add(path);
  }
}

/** The order in which new fields are added: names as texts, numbers by value. */
function comparePaths(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i] as string, b[i] as string];
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

/**
 * The document that an update makes of `doc`, which is not changed.
 * @throws CommandError 66 if `_id` would change
 */
export function applyUpdate(update: Update, doc: Doc, position: Position, inserting = false): Doc {
  if (update.replacement) return replaceDoc(update.replacement, doc);
  const next = withOwnRoots(doc, update);
  for (const { parts, onInsert, change } of update.modifications) {
    if (onInsert && !inserting) continue;
    change(next, concretePath(parts, position));
  }
  if (!inserting || Object.hasOwn(doc, '_id')) checkId(doc, next);
  return next;
}

/** A copy in which everything that the update may change is copied, too; the rest is shared with the original. */
function withOwnRoots(doc: Doc, { modifications }: Update): Doc {
  const next: Doc = {};
  for (const key of Object.keys(doc)) setOwn(next, key, getOwn(doc, key));
  for (const { parts } of modifications) {
    const root = parts[0] as string;
    if (Object.hasOwn(next, root)) setOwn(next, root, clone(getOwn(next, root)));
  }
  return next;
}

/**
 * The bytes of the updated document. Fields that the update did not touch keep their bytes and their order, even where a
 * JavaScript object would order their names in another way.
 */
export function applyToBytes(old: Buffer, next: Doc, update: Update): Buffer {
  if (update.replacement) return encodeIdFirst(next);
  const roots = new Set(update.modifications.map(({ parts }) => parts[0] as string));
  const pieces: Buffer[] = [];
  const known = new Set<string>();
  for (const { name, start, end } of rawFields(old)) {
    known.add(name);
    if (!roots.has(name)) pieces.push(old.subarray(start, end));
    else if (Object.hasOwn(next, name)) pieces.push(fieldBytes(encode({ [name]: next[name] })));
  }
  for (const name of Object.keys(next)) {
    if (!known.has(name)) pieces.push(fieldBytes(encode({ [name]: next[name] })));
  }
  return joinFields(pieces);
}

/** Encodes a document with its `_id` first: a JavaScript object puts names that are whole numbers before all others. */
export function encodeIdFirst({ _id, ...rest }: Doc): Buffer {
  return joinFields([fieldBytes(encode({ _id })), fieldBytes(encode(rest))]);
}

function replaceDoc(replacement: Doc, doc: Doc): Doc {
  const next: Doc = {};
  if (Object.hasOwn(doc, '_id')) next._id = doc._id;
  for (const key of Object.keys(replacement)) setOwn(next, key, clone(getOwn(replacement, key)));
  if (Object.hasOwn(doc, '_id')) checkId(doc, next);
  return next;
}

function checkId(doc: Doc, next: Doc): void {
  if (Object.hasOwn(next, '_id') && equal(doc._id, next._id)) return;
  throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

/**
 * The document that an upsert inserts: the filter's equalities, then the update. `_id` comes first, and is created if none
 * is given.
 */
export function upsertDoc(update: Update, filter: Filter): Doc {
  const base: Doc = {};
  for (const { path, parts, value } of equalities(filter)) {
    if (update.replacement && path !== '_id') continue;
    const spot = spotOf(base, parts, true);
    if (spot) write(spot, clone(value), parts);
  }
  const { _id: id, ...rest } = applyUpdate(update, base, noPosition(), true);
  return { _id: id === undefined ? new ObjectId() : id, ...rest };
}

/**
 * The equalities of a filter, by path.
 * @throws CommandError 54 for a path that it names twice
 */
export function equalities(filter: Filter): { path: string; parts: string[]; value: unknown }[] {
  const found = new Map<string, { path: string; parts: string[]; value: unknown }>();
  for (const one of conjuncts(filter)) {
    if (one.kind !== 'leaf') continue;
    const values = equalValues(one);
    if (values.length !== 1) continue;
    if (found.has(one.path))
      throw new CommandError(54, `cannot infer query fields to set, path '${one.path}' is matched twice`);
    found.set(one.path, { path: one.path, parts: one.parts, value: values[0] });
  }
  return [...found.values()];
}

function equalValues({ operator, operand }: Leaf): unknown[] {
  if (operator === 'eq') return [operand];
  return operator === 'in' && Array.isArray(operand) ? operand : [];
}
