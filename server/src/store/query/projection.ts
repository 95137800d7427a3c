import { joinFields, rawFields } from '../bson/raw.ts';
import { type Doc, decode, encode, getOwn, isDoc, isNumber, isTrue, setOwn, toNumber } from '../bson/values.ts';
import { badValue, CommandError, unsupported } from '../errors.ts';
import type { Filter } from './filter.ts';
import { parseFilter } from './filter.ts';
import { matches, noPosition, valueMatches } from './match.ts';
import type { Row } from './scan.ts';

/** A projection as a tree of names: a leaf keeps or drops the field, or gives another value for it. */
type Tree = Map<string, Tree | Action>;
type Action = true | ((value: unknown, doc: Doc) => unknown);

/** Makes the function that reduces a row to the fields asked for; undefined: everything is. */
export function parseProjection(projection: unknown, filter: Filter): ((row: Row) => Buffer) | undefined {
  if (projection === undefined || projection === null) return undefined;
  if (!isDoc(projection)) throw new CommandError(14, 'Expected field projection to be of type object');
  const entries = Object.entries(projection);
  if (entries.length === 0) return undefined;
  const { including, withId } = modeOf(entries);
  const names = entries.map(([path]) => path);
  if (entries.every(([path, value]) => !path.includes('.') && isSwitch(value))) {
    const listed = new Set(names.filter((name) => name !== '_id'));
    return ({ raw }) => pickRaw(raw, (name) => (name === '_id' ? withId : listed.has(name) === including));
  }
  const tree = treeOf(
    entries.filter(([path]) => path !== '_id'),
    filter,
  );
  const shape = including ? include : exclude;
  return (row) => {
    const doc = row.doc ?? decode(row.raw);
    const result = shape(doc, tree, doc);
    if (!withId) delete result._id;
    else if (including && Object.hasOwn(doc, '_id')) return encode({ _id: doc._id, ...result });
    return encode(result);
  };
}

const isSwitch = (value: unknown) => isNumber(value) || typeof value === 'boolean';

function modeOf(entries: [string, unknown][]): { including: boolean; withId: boolean } {
  let including: boolean | undefined;
  let withId = true;
  for (const [path, value] of entries) {
    if (path === '_id' && isSwitch(value)) {
      withId = isTrue(value);
      continue;
    }
    if (isDoc(value) && Object.hasOwn(value, '$slice')) continue;
    const includes = isSwitch(value) ? isTrue(value) : true;
    if (including !== undefined && including !== includes) {
      throw badValue(
        `Cannot do ${includes ? 'inclusion' : 'exclusion'} on field ${path} in ${includes ? 'exclusion' : 'inclusion'} projection`,
      );
    }
    including = includes;
  }
  const onlyId = entries.length === 1 && entries[0]?.[0] === '_id';
  return { including: including ?? (onlyId && withId), withId };
}

function pickRaw(raw: Buffer, keep: (name: string) => boolean): Buffer {
  const pieces = rawFields(raw).filter(({ name }) => keep(name));
  return joinFields(pieces.map(({ start, end }) => raw.subarray(start, end)));
}

function treeOf(entries: [string, unknown][], filter: Filter): Tree {
  const tree: Tree = new Map();
  for (const [path, value] of entries) {
    const parts = path.split('.');
    const positional = parts.at(-1) === '$';
    if (positional) parts.pop();
    const action = positional ? positionalAction(filter) : actionOf(value);
    let level = tree;
    for (const part of parts.slice(0, -1)) {
      const next = level.get(part) ?? new Map();
      if (!(next instanceof Map)) throw new CommandError(2, `Path collision at ${path}`);
      level.set(part, next);
      level = next;
    }
    const last = parts.at(-1) as string;
    if (level.has(last)) throw new CommandError(2, `Path collision at ${path}`);
    level.set(last, action);
  }
  return tree;
}

function actionOf(value: unknown): Action {
  if (isSwitch(value)) return true;
  if (isDoc(value)) {
    const [operator] = Object.keys(value);
    if (operator === '$slice') return sliceAction(value.$slice);
    if (operator === '$elemMatch') return elemMatchAction(value.$elemMatch);
  }
  throw unsupported('An expression in a projection');
}

function positionalAction(filter: Filter): Action {
  return (value, doc) => {
    if (!Array.isArray(value)) return value;
    const position = noPosition();
    matches(filter, doc, position);
    if (position.index < 0)
      throw badValue(
        "Executor error during find command: positional operator '.$' couldn't find a matching element in the array",
      );
    return value.slice(position.index, position.index + 1);
  };
}

function sliceAction(operand: unknown): Action {
  const [first, second] = (Array.isArray(operand) ? operand : [operand]).map(toNumber);
  if (first === undefined) throw badValue('$slice needs a number, or an array of two');
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (second === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
    const start = first < 0 ? Math.max(0, value.length + first) : first;
    return value.slice(start, start + second);
  };
}

function elemMatchAction(operand: unknown): Action {
  const filter = parseFilter({ array: { $elemMatch: operand } });
  if (filter.kind !== 'elemMatch') throw badValue('$elemMatch needs an Object');
  return (value) => {
    const found = Array.isArray(value) ? value.find((element) => valueMatches(filter, [element])) : undefined;
    return found === undefined ? undefined : [found];
  };
}

function include(doc: Doc, tree: Tree, root: Doc): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    if (rule === undefined) continue;
    const value = rule instanceof Map ? inside(doc[name], rule, root, include) : apply(rule, doc[name], root);
    if (value !== undefined) setOwn(result, name, value);
  }
  return result;
}

function exclude(doc: Doc, tree: Tree, root: Doc): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    const value = getOwn(doc, name);
    if (rule === undefined) setOwn(result, name, value);
    else if (rule instanceof Map) setOwn(result, name, insideKeeping(value, rule, root));
    else if (rule !== true) setOwn(result, name, rule(value, root));
  }
  return result;
}

function apply(rule: Action, value: unknown, root: Doc): unknown {
  return rule === true ? value : rule(value, root);
}

/** Inclusion below a name: scalars there have none of the fields asked for, and go. */
function inside(value: unknown, tree: Tree, root: Doc, shape: typeof include): unknown {
  if (isDoc(value)) return shape(value, tree, root);
  if (!Array.isArray(value)) return undefined;
  return value.filter((item) => isDoc(item) || Array.isArray(item)).map((item) => inside(item, tree, root, shape));
}

function insideKeeping(value: unknown, tree: Tree, root: Doc): unknown {
  if (isDoc(value)) return exclude(value, tree, root);
  return Array.isArray(value) ? value.map((item) => insideKeeping(item, tree, root)) : value;
}
