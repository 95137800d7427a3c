import { type Doc, getOwn, isDoc } from '../bson/values.ts';

/** The index of a value that was reached without passing an array. */
export const NO_INDEX = -1;

/**
 * Tests one value found at a path. `value` undefined is 'missing'; `index` is the position in the outermost array passed.
 */
type ElementTest = (value: unknown, index: number) => boolean;

/**
 * Whether any value that a dotted path reaches passes the test. Arrays are walked as in MongoDB: an array on the way stands
 * for each of its documents, and a number in the path for an element. With `expand`, an array at the end is tested by each
 * of its elements and then as a whole.
 */
export function someAt(doc: Doc, parts: string[], expand: boolean, test: ElementTest): boolean {
  return inDoc(doc, parts, 0, expand, NO_INDEX, test);
}

function inDoc(doc: Doc, parts: string[], at: number, expand: boolean, index: number, test: ElementTest): boolean {
  const value = getOwn(doc, parts[at] as string);
  if (at === parts.length - 1) return atEnd(value, expand, index, test);
  if (Array.isArray(value)) return inArray(value, parts, at + 1, expand, index, test);
  if (isDoc(value)) return inDoc(value, parts, at + 1, expand, index, test);
  return test(undefined, index);
}

function atEnd(value: unknown, expand: boolean, index: number, test: ElementTest): boolean {
  if (expand && Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (test(value[i], index === NO_INDEX ? i : index)) return true;
  }
  return test(value, index);
}

function inArray(
  values: unknown[],
  parts: string[],
  at: number,
  expand: boolean,
  outer: number,
  test: ElementTest,
): boolean {
  for (let i = 0; i < values.length; i++) {
    const element = values[i];
    const index = outer === NO_INDEX ? i : outer;
    if (isDoc(element) && inDoc(element, parts, at, expand, index, test)) return true;
    if (parts[at] !== String(i)) continue;
    if (at === parts.length - 1) {
      if (test(element, index)) return true;
    } else if (isDoc(element)) {
      if (inDoc(element, parts, at + 1, expand, index, test)) return true;
    } else if (Array.isArray(element) && inArray(element, parts, at + 1, expand, index, test)) return true;
  }
  return false;
}
