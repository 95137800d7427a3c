import { isDeepStrictEqual } from 'node:util';

/**
 * The fields whose values are other than a document has them; forms send all of theirs, however few were changed.
 * @param fields values by dotted names (`settings.hours`)
 */
export function differing(document: object, fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((name) => !isDeepStrictEqual(valueAt(document, name), fields[name]));
}

function valueAt(document: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => Object(part)[name], document);
}
