import type { ParamSchema } from 'express-validator';
import type { TranslatableText } from '../sentence.ts';

/**
 * The JSON Schema of a field: the part of its rule that can be documented. Every type of variable length has a maximum:
 * `validate` refuses longer values before any check or sanitizer runs.
 */
export type JsonSchema =
  | { type: 'boolean' }
  | { type: 'integer'; minimum?: number; maximum?: number }
  | TextSchema
  | { type: 'array'; maxItems: number; items: JsonSchema }
  | {
      type: 'object';
      maxProperties: number;
      properties?: Record<string, JsonSchema>;
      /** Of entries whose names are ids. */
      additionalProperties?: JsonSchema;
    };

interface TextSchema {
  type: 'string';
  /** After sanitizing, in UTF-16 units. */
  maxLength: number;
  minLength?: number;
  format?: 'email' | 'uuid' | 'uri' | 'password' | 'date' | 'date-time';
  pattern?: string;
  enum?: readonly string[];
}

/** The key of a rule's JSON Schema: a symbol, so that express-validator does not take it for a check. */
export const JSON_SCHEMA = Symbol('JSON Schema');

/** One field's rule with its JSON Schema; `errorMessage` is also the answer to a value that is too large to be checked. */
export type Field = { [Name in keyof ParamSchema]: Spoken<Name, ParamSchema[Name]> } & { [JSON_SCHEMA]: JsonSchema };

/** express-validator takes anything for a message; here it is a sentence. */
type Spoken<Name, Rule> = Name extends 'errorMessage'
  ? TranslatableText
  : Rule extends { errorMessage?: unknown }
    ? Omit<Rule, 'errorMessage'> & { errorMessage?: TranslatableText | ((value: unknown) => TranslatableText | null) }
    : Rule;

/** Sanitizing may shorten a text (surrounding blanks, composed accents), but a valid one never to less than a quarter. */
const RAW_FACTOR = 4;

/**
 * Whether a value is too large even before sanitizing. It only counts, and does not visit the items of a list that is too
 * long itself. A value of another type is left to the field's own check.
 */
export function isOversized(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'string') return schema.type === 'string' && value.length > schema.maxLength * RAW_FACTOR;
  if (Array.isArray(value)) {
    if (schema.type !== 'array') return false;
    return value.length > schema.maxItems || value.some((item) => isOversized(schema.items, item));
  }
  if (typeof value !== 'object' || value === null || schema.type !== 'object') return false;
  const entries = Object.entries(value);
  if (entries.length > schema.maxProperties) return true;
  return entries.some(([name, part]) => {
    const isNamed = schema.properties && Object.hasOwn(schema.properties, name);
    const inner = isNamed ? schema.properties?.[name] : schema.additionalProperties;
    return inner !== undefined && isOversized(inner, part);
  });
}

/** The JSON Schema of a set of rules; dotted names become nested objects. */
export function objectSchemaOf(rules: Record<string, Field>): object {
  const root: ObjectSchema = { type: 'object', properties: {} };
  for (const [path, field] of Object.entries(rules)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      at.properties[name] ??= { type: 'object', properties: {} };
      at = at.properties[name] as ObjectSchema;
    }
    at.properties[last] = { ...field[JSON_SCHEMA], ...(at.properties[last] ?? {}) };
    if (!field.optional) at.required = [...(at.required ?? []), last];
  }
  return root;
}

interface ObjectSchema {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
}
