import { isDeepStrictEqual } from 'node:util';

/**
 * Lists the fields whose values differ from the document's, because forms send all their fields, changed or not.
 * @param fields values by dotted names (`settings.hours`)
 */
export function differing(document: object, fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((name) => !isDeepStrictEqual(valueAt(document, name), fields[name]));
}

function valueAt(document: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => Object(part)[name], document);
}
