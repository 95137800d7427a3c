import { ObjectId } from 'bson';
import { equal } from '../bson/compare.ts';
import { clone, type Doc, getOwn, isDoc, setOwn } from '../bson/values.ts';
import { badValue, CommandError, failedToParse, unsupported } from '../errors.ts';
import { type Filter, type Leaf, parseFilter } from '../query/filter.ts';
import { conjuncts } from '../query/implies.ts';
import { noPosition, type Position } from '../query/match.ts';
import { type Change, changeOf } from './operators.ts';
import { concretePaths, spotOf, write } from './paths.ts';

interface Modification {
  path: string;
  parts: string[];
  onInsert: boolean;
  change: Change;
}

/** An update, parsed: a whole new document, or changes at paths. */
export interface Update {
  replacement: Doc | undefined;
  modifications: Modification[];
  arrayFilters: Map<string, Filter>;
  /** it names the array element that the filter met (`$`) */
  positional: boolean;
}

/** Parses the update of an update or findAndModify command. */
export function parseUpdate(update: unknown, arrayFilters: unknown, now: Date): Update {
  if (Array.isArray(update)) throw unsupported('An update with an aggregation pipeline');
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  const filters = parseArrayFilters(arrayFilters);
  const names = Object.keys(update);
  if (!names.some((name) => name.startsWith('$'))) {
    return { replacement: update, modifications: [], arrayFilters: filters, positional: false };
  }
  const modifications = names.flatMap((operator) => parseOperator(operator, update[operator], now));
  checkConflicts(modifications, update);
  checkArrayFilters(modifications, filters);
  modifications.sort((a, b) => comparePaths(a.parts, b.parts));
  const positional = modifications.some(({ parts }) => parts.includes('$'));
  return { replacement: undefined, modifications, arrayFilters: filters, positional };
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
  const odd = parts.find((part) => part.startsWith('$') && part !== '$' && !/^\$\[[a-z]?[A-Za-z0-9]*\]$/.test(part));
  if (odd) throw new CommandError(52, `The dollar ($) prefixed field '${odd}' in '${path}' is not valid for storage.`);
}

function checkConflicts(modifications: Modification[], update: Doc): void {
  const renamed = isDoc(update.$rename) ? Object.entries(update.$rename) : [];
  const same = renamed.find(([from, to]) => from === to);
  if (same) throw badValue(`The source and target field for $rename must differ: ${same[0]}`);
  const targets = renamed.map(([, to]) => String(to));
  const paths = [...modifications.map(({ path }) => path), ...targets].sort();
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

function parseArrayFilters(value: unknown): Map<string, Filter> {
  const filters = new Map<string, Filter>();
  if (value === undefined) return filters;
  if (!Array.isArray(value)) throw failedToParse('arrayFilters must be an array');
  for (const item of value) {
    if (!isDoc(item)) throw failedToParse('arrayFilters must be an array of objects');
    const names = new Set(fieldNames(item));
    const [name] = names;
    if (name === undefined || names.size > 1)
      throw failedToParse('Error parsing array filter: Expected a single top-level field name');
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    filters.set(name, parseFilter(item));
  }
  return filters;
}

function fieldNames(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith('$')
      ? Array.isArray(value)
        ? value.flatMap((item) => (isDoc(item) ? fieldNames(item) : []))
        : []
      : [key.split('.')[0] as string],
  );
}

function checkArrayFilters(modifications: Modification[], filters: Map<string, Filter>): void {
  const used = new Set(
    modifications.flatMap(({ parts }) =>
      parts.filter((part) => /^\$\[.+\]$/.test(part)).map((part) => part.slice(2, -1)),
    ),
  );
  for (const name of used) {
    if (!filters.has(name)) throw badValue(`No array filter found for identifier '${name}' in path`);
  }
  for (const name of filters.keys()) {
    if (!used.has(name)) throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
  }
}

/** New fields come in this order: names as texts, numbers by value. */
function comparePaths(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i] as string, b[i] as string];
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

/** The document that an update makes of `doc`, which stays as it is. Throws 66 if `_id` would change. */
export function applyUpdate(update: Update, doc: Doc, position: Position, inserting = false): Doc {
  if (update.replacement) return replaceDoc(update.replacement, doc);
  const next = clone(doc);
  for (const { parts, onInsert, change } of update.modifications) {
    if (onInsert && !inserting) continue;
    for (const path of concretePaths(next, parts, { position, arrayFilters: update.arrayFilters })) change(next, path);
  }
  if (!inserting || Object.hasOwn(doc, '_id')) checkId(doc, next);
  return next;
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

/** The document that an upsert inserts: the filter's equalities, then the update. `_id` comes first and is made if none is given. */
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

function equalities(filter: Filter): { path: string; parts: string[]; value: unknown }[] {
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
