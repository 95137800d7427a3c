import { type Doc, getOwn, isDoc, setOwn } from '../bson/values.ts';
import { badValue, CommandError } from '../errors.ts';
import type { Position } from '../query/match.ts';

/** The last step of a path: the document or array that holds the value, and the value's name in it. */
interface Spot {
  holder: Doc | unknown[];
  name: string;
}

/** The maximum number of empty elements that are added to set one far behind an array's end. */
const MAX_PADDING = 1_500_000;

/** The path with `$` replaced by the element that the filter matched. */
export function concretePath(parts: string[], position: Position): string[] {
  return parts.map((part) => {
    if (part !== '$') return part;
    if (position.index < 0) throw badValue('The positional operator did not find the match needed from the query.');
    return String(position.index);
  });
}

function child(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isDoc(value) ? getOwn(value, name) : undefined;
}

/** Finds the place of a path. With `make`, missing documents on the way are created; without, the result is undefined. */
export function spotOf(doc: Doc, path: string[], make: boolean): Spot | undefined {
  let holder: Doc | unknown[] = doc;
  for (const [i, name] of path.slice(0, -1).entries()) {
    let next = child(holder, name);
    if (next === undefined || (next === null && Array.isArray(holder) && !(name in holder))) {
      if (!make) return undefined;
      next = {};
      write({ holder, name }, next, path.slice(0, i + 1));
    }
    if (!isDoc(next) && !Array.isArray(next)) {
      if (!make) return undefined;
      throw notViable(path[i + 1] as string, name, next);
    }
    holder = next;
  }
  const name = path.at(-1) as string;
  if (Array.isArray(holder) && !/^\d+$/.test(name)) {
    if (!make) return undefined;
    throw notViable(name, path.at(-2) as string, holder);
  }
  return { holder, name };
}

function notViable(field: string, parent: string, value: unknown): CommandError {
  return new CommandError(28, `Cannot create field '${field}' in element {${parent}: ${JSON.stringify(value)}}`);
}

export function read({ holder, name }: Spot): unknown {
  return child(holder, name);
}

export function write({ holder, name }: Spot, value: unknown, path: string[] = [name]): void {
  if (!Array.isArray(holder)) {
    setOwn(holder, name, value);
    return;
  }
  if (!/^\d+$/.test(name)) throw notViable(name, path.at(-2) ?? '', holder);
  const index = Number(name);
  if (index > holder.length + MAX_PADDING) throw badValue(`can't backfill more than ${MAX_PADDING} elements`);
  while (holder.length < index) holder.push(null);
  holder[index] = value;
}

/** Removes a field. An array element becomes null, so that the others keep their positions. */
export function erase({ holder, name }: Spot): void {
  if (!Array.isArray(holder)) delete holder[name];
  else if (Number(name) < holder.length) holder[Number(name)] = null;
}
