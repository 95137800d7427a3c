import { isDeepStrictEqual } from 'node:util';
import { storable } from '#platform/text';
import { PAGE_LIMIT_MAX } from '../contract.ts';
import { inEnglish, labelled, sentence, type TranslatableText } from '../sentence.ts';
import { type Field, JSON_SCHEMA, type JsonSchema } from './jsonSchema.ts';

/** The rule of a text field; lengths are in UTF-16 units, as the browser counts them. */
interface TextRule {
  /** The field's name in messages (`'Site name'`). */
  label: string;
  max: number;
  /** May be left out. */
  optional?: boolean;
  /** May be empty or blank. */
  blank?: boolean;
  /** Kept as typed instead of trimmed. */
  raw?: boolean;
}

const optionalRule = { options: { values: 'undefined' as const } };

/**
 * A string; blank ones are refused unless the rule allows them. NUL and lone surrogates are replaced, because no store keeps
 * them.
 */
export function text({ label, max, optional, blank, raw }: TextRule): Field {
  const field = labelled(label);
  const missing = sentence('{field} is required', { field });
  return {
    ...(optional ? { optional: optionalRule } : {}),
    [JSON_SCHEMA]: { type: 'string', maxLength: max, ...(blank ? {} : { minLength: 1 }) },
    errorMessage: sentence('{field} must be at most {max} characters long', { field, max }),
    isString: { bail: true, errorMessage: missing },
    customSanitizer: { options: (value: unknown) => tidy(value, raw === true) },
    ...(blank ? {} : { custom: { options: isNotBlank, bail: true, errorMessage: missing } }),
    isLength: { options: { max } },
  };
}

function tidy(value: unknown, raw: boolean): unknown {
  if (typeof value !== 'string') return value;
  const whole = storable(value);
  return raw ? whole : whole.trim();
}

function isNotBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A real boolean, not a string such as `'true'`. */
export function flag(label: string): Field {
  return {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'boolean' },
    errorMessage: sentence('{field} must be true or false', { field: labelled(label) }),
    custom: { options: (value: unknown) => typeof value === 'boolean' },
  };
}

/** One of a fixed list of words. */
export function choice(label: string, allowed: readonly string[]): Field {
  return {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'string', enum: allowed, maxLength: Math.max(...allowed.map((word) => word.length)) },
    errorMessage: sentence('{field} must be one of {allowed}', { field: labelled(label), allowed: allowed.join(', ') }),
    custom: { options: (value: unknown) => typeof value === 'string' && allowed.includes(value) },
  };
}

/** A whole number in JSON. */
export function whole(label: string, { optional = false, min = 0, max = Number.MAX_SAFE_INTEGER } = {}): Field {
  const field = labelled(label);
  return {
    ...(optional ? { optional: optionalRule } : {}),
    [JSON_SCHEMA]: { type: 'integer', minimum: min, maximum: max },
    custom: {
      options: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
      errorMessage:
        max === Number.MAX_SAFE_INTEGER
          ? sentence('{field} must be a whole number', { field })
          : sentence('{field} must be a whole number from {min} to {max}', { field, min, max }),
    },
  };
}

/** A whole number in a query string. */
export function wholeQuery(label: string, min: number, max: number): Field {
  return {
    optional: optionalRule,
    [JSON_SCHEMA]: { type: 'integer', minimum: min, maximum: max },
    custom: {
      options: (value: unknown) =>
        typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max,
      errorMessage: sentence('{field} must be a whole number from {min} to {max}', {
        field: labelled(label),
        min,
        max,
      }),
    },
    customSanitizer: { options: Number },
  };
}

/** What a conversion throws for a value that it refuses. */
export class InvalidValue extends Error {
  readonly reason: TranslatableText;

  constructor(reason: TranslatableText) {
    super(inEnglish(reason));
    this.reason = reason;
  }
}

/** The rules of a field that is checked by converting it. @param convert throws `InvalidValue` with what is wrong */
export function converted(convert: (value: unknown) => unknown) {
  const problemOf = (value: unknown): TranslatableText | null => {
    try {
      convert(value);
      return null;
    } catch (error) {
      if (error instanceof InvalidValue) return error.reason;
      throw error;
    }
  };
  return {
    custom: { options: (value: unknown) => problemOf(value) === null, errorMessage: problemOf, bail: true },
    customSanitizer: { options: (value: unknown) => convert(value) },
  };
}

/** `limit` and `cursor`, as every list takes them. */
export const pageFields = {
  limit: wholeQuery('limit', 1, PAGE_LIMIT_MAX),
  cursor: text({ label: 'cursor', max: 200, optional: true }),
};

/** A stored document's id. */
export const ID_JSON_SCHEMA: JsonSchema = { type: 'string', pattern: '^[0-9a-fA-F]{24}$', maxLength: 24 };

/** An id in a socket payload; its document is loaded with the caller's rights. */
export function idField(label: string, { optional = false } = {}): Field {
  return {
    ...(optional ? { optional: optionalRule } : {}),
    [JSON_SCHEMA]: ID_JSON_SCHEMA,
    errorMessage: sentence('{field} is not an id', { field: labelled(label) }),
    custom: { options: isId },
  };
}

/** Whether a value has the format of a stored document's id. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value);
}

/** The UUID that the sender gives a message: an idempotency key for retries. */
export function clientIdField({ optional = false } = {}): Field {
  return {
    ...(optional ? { optional: optionalRule } : {}),
    [JSON_SCHEMA]: { type: 'string', format: 'uuid', maxLength: 36 },
    errorMessage: sentence('clientId must be a UUID'),
    custom: {
      options: (value: unknown) =>
        typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value),
    },
  };
}

/**
 * Lists the fields whose values differ from the document's, because forms send all their fields, changed or not.
 * @param fields values by dotted names (`settings.hours`)
 */
export function changedFields(document: object, fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((name) => !isDeepStrictEqual(fieldAt(document, name), fields[name]));
}

/** The value at a dotted name; undefined: there is none. */
export function fieldAt(document: object, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => Object(part)[name], document);
}
