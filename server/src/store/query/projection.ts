import { joinFields, rawFields } from '../bson/raw.ts';
import { type Doc, decode, encode, getOwn, isDoc, isNumber, isTrue, setOwn } from '../bson/values.ts';
import { badValue, CommandError, unsupported } from '../errors.ts';
import type { Row } from './scan.ts';

/** A projection as a tree of names. A leaf keeps or removes the field. */
type Tree = Map<string, Tree | true>;

/**
 * Compiles a projection.
 * @returns a function that reduces a row; undefined if all fields are wanted
 */
export function parseProjection(projection: unknown): ((row: Row) => Buffer) | undefined {
  if (projection === undefined || projection === null) return undefined;
  if (!isDoc(projection)) throw new CommandError(14, 'Expected field projection to be of type object');
  const entries = Object.entries(projection);
  if (entries.length === 0) return undefined;
  const { including, withId } = modeOf(entries);
  const names = entries.map(([path]) => path);
  if (names.every((path) => !path.includes('.'))) {
    const listed = new Set(names.filter((name) => name !== '_id'));
    return ({ raw }) => pickRaw(raw, (name) => (name === '_id' ? withId : listed.has(name) === including));
  }
  const tree = treeOf(names.filter((path) => path !== '_id'));
  const shape = including ? include : exclude;
  return (row) => {
    const doc = row.doc ?? decode(row.raw);
    const result = shape(doc, tree);
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
    if (!isSwitch(value)) throw unsupported('An expression in a projection');
    if (path.split('.').includes('$')) throw unsupported('The positional operator in a projection');
    if (path === '_id') {
      withId = isTrue(value);
      continue;
    }
    const includes = isTrue(value);
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

function treeOf(paths: string[]): Tree {
  const tree: Tree = new Map();
  for (const path of paths) {
    const parts = path.split('.');
    let level = tree;
    for (const part of parts.slice(0, -1)) {
      const next = level.get(part) ?? new Map();
      if (!(next instanceof Map)) throw new CommandError(2, `Path collision at ${path}`);
      level.set(part, next);
      level = next;
    }
    const last = parts.at(-1) as string;
    if (level.has(last)) throw new CommandError(2, `Path collision at ${path}`);
    level.set(last, true);
  }
  return tree;
}

function include(doc: Doc, tree: Tree): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    if (rule === undefined) continue;
    const value = rule === true ? doc[name] : inside(doc[name], rule);
    if (value !== undefined) setOwn(result, name, value);
  }
  return result;
}

function exclude(doc: Doc, tree: Tree): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const rule = tree.get(name);
    const value = getOwn(doc, name);
    if (rule === undefined) setOwn(result, name, value);
    else if (rule !== true) setOwn(result, name, insideKeeping(value, rule));
  }
  return result;
}

/** Applies an inclusion below a name. Scalars there have none of the requested fields, so they are removed. */
function inside(value: unknown, tree: Tree): unknown {
  if (isDoc(value)) return include(value, tree);
  if (!Array.isArray(value)) return undefined;
  return value.filter((item) => isDoc(item) || Array.isArray(item)).map((item) => inside(item, tree));
}

function insideKeeping(value: unknown, tree: Tree): unknown {
  if (isDoc(value)) return exclude(value, tree);
  return Array.isArray(value) ? value.map((item) => insideKeeping(item, tree)) : value;
}
