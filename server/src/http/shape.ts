import type { ParamSchema } from 'express-validator';

/**
 * What a field looks like, in JSON Schema's words: the part of a rule that a document can tell. Whatever may be long says
 * how long: `validate` refuses more before any check or cleaning sees the value.
 */
export type Shape =
  | { type: 'boolean' }
  | { type: 'integer'; minimum?: number; maximum?: number }
  | TextShape
  | { type: 'array'; maxItems: number; items: Shape }
  | { type: 'object'; maxProperties: number; properties?: Record<string, Shape> };

interface TextShape {
  type: 'string';
  /** Of the cleaned text, in UTF-16 units. */
  maxLength: number;
  minLength?: number;
  format?: 'email' | 'uuid' | 'uri' | 'password' | 'date' | 'date-time';
  pattern?: string;
  enum?: readonly string[];
}

/** Under this name a rule carries its shape: a symbol, so that express-validator does not take it for a check. */
export const SHAPE = Symbol('shape');

/** One field's rule, with its shape; `errorMessage` is also what a value hears that is too large to be looked at. */
export type Field = ParamSchema & { [SHAPE]: Shape };

/** Cleaning may shorten a text (blanks around it, composed accents), but not a rightful one to less than a quarter. */
const RAW_FACTOR = 4;

/**
 * Whether a value is larger than what its field could be cleaned to. It costs no more than counting, and looks at no item
 * of a list that is too long itself. A value of another type than the shape's is left to the field's own check.
 */
export function isOversized(shape: Shape, value: unknown): boolean {
  if (typeof value === 'string') return shape.type === 'string' && value.length > shape.maxLength * RAW_FACTOR;
  if (Array.isArray(value)) {
    if (shape.type !== 'array') return false;
    return value.length > shape.maxItems || value.some((item) => isOversized(shape.items, item));
  }
  if (typeof value !== 'object' || value === null || shape.type !== 'object') return false;
  const entries = Object.entries(value);
  if (entries.length > shape.maxProperties) return true;
  return entries.some(([name, part]) => {
    const inner = shape.properties && Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
    return inner !== undefined && isOversized(inner, part);
  });
}

/** The JSON Schema of all that some rules accept; dotted names become objects. */
export function schemaOf(rules: Record<string, Field>): object {
  const root: ObjectSchema = { type: 'object', properties: {} };
  for (const [path, field] of Object.entries(rules)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      at.properties[name] ??= { type: 'object', properties: {} };
      at = at.properties[name] as ObjectSchema;
    }
    at.properties[last] = { ...field[SHAPE], ...(at.properties[last] ?? {}) };
    if (!field.optional) at.required = [...(at.required ?? []), last];
  }
  return root;
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
}
