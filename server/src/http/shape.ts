import type { ParamSchema } from 'express-validator';

/** What a field looks like, in JSON Schema's words: the part of a rule that a document can tell. */
export interface Shape {
  type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  format?: 'email' | 'uuid' | 'uri' | 'password' | 'date' | 'date-time';
  pattern?: string;
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Shape;
}

/** Under this name a rule carries its shape: a symbol, so that express-validator does not take it for a check. */
export const SHAPE = Symbol('shape');

/** One field's rule, with its shape. */
export type Field = ParamSchema & { [SHAPE]?: Shape };

/** The JSON Schema of all that some rules accept; dotted names become objects, `*` an array's items. */
export function schemaOf(rules: Record<string, Field>): object {
  const root: ObjectSchema = { type: 'object', properties: {} };
  for (const [path, field] of Object.entries(rules)) {
    if (path.includes('*')) continue;
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      at.properties[name] ??= { type: 'object', properties: {} };
      at = at.properties[name] as ObjectSchema;
    }
    at.properties[last] = { ...(field[SHAPE] ?? {}), ...(at.properties[last] ?? {}) };
    if (!field.optional) at.required = [...(at.required ?? []), last];
  }
  return root;
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
}
