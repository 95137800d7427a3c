import {
  checkSchema,
  matchedData,
  type ParamSchema,
  type Schema,
  type ValidationChain,
  validationResult,
} from 'express-validator';
import { type Fault, invalid } from '../errors.ts';
import { sentence, type TranslatableText } from '../sentence.ts';
import { type Field, isOversized, JSON_SCHEMA } from './jsonSchema.ts';

/**
 * The schema of a body, a query or a socket payload: express-validator rules by field. A list is one field with one check of
 * its own, because express-validator's wildcards (`chats.*.id`) take quadratic time in the list's length.
 */
export type InputSchema = Record<string, Field>;

type InputLocation = 'body' | 'query';

const chains = {
  body: new WeakMap<InputSchema, ValidationChain[]>(),
  query: new WeakMap<InputSchema, ValidationChain[]>(),
};

/**
 * Validates `input` and returns only the fields that the rules name, sanitized.
 * HTTP bodies, queries and socket payloads all use this function, so that one set of rules holds for all of them.
 * @throws AppError 422 with every violated rule
 */
export async function validate(
  rules: InputSchema,
  input: unknown,
  location: InputLocation = 'body',
): Promise<Record<string, unknown>> {
  const given = isRecord(input) ? input : {};
  const accepted = quickly(rules)?.(given);
  if (accepted) return accepted;
  const request = { [location]: withoutDotted(given) };
  const oversized = oversizedFields(rules, given);
  if (oversized.length > 0) throw invalid(oversized);
  await Promise.all(chainsOf(rules, location).map((chain) => chain.run(request)));
  const faults = validationResult(request)
    .array()
    .map((error) => ({ msg: error.msg as TranslatableText, path: error.type === 'field' ? error.path : '' }));
  if (faults.length > 0) throw invalid(faults);
  return matchedData(request, { locations: [location], includeOptionals: false });
}

/** express-validator takes a key `a.b` for the field `b` of `a`; here it is unknown, and left out like any other unknown key. */
function withoutDotted(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !name.includes('.')));
}

/**
 * Values larger than their field allows: they never reach checks and sanitizers, whose cost may grow faster than the size.
 */
function oversizedFields(rules: InputSchema, given: Record<string, unknown>): Fault[] {
  return Object.entries(rules).flatMap(([path, field]) => {
    if (!isOversized(field[JSON_SCHEMA], valueAt(given, path))) return [];
    return { msg: field.errorMessage ?? sentence('{field} is too long', { field: path }), path };
  });
}

function valueAt(given: Record<string, unknown>, path: string): unknown {
  let at: unknown = given;
  for (const name of path.split('.')) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

type Quick = (given: Record<string, unknown>) => Record<string, unknown> | undefined;
/** One check or sanitizer; returns the value to pass on, or undefined if refused. */
type Step = (value: unknown) => unknown;

const quick = new WeakMap<InputSchema, Quick | null>();

/**
 * Compiles the rules once to plain functions: valid input, which is nearly all, is accepted at a tenth of the cost.
 * @returns a function that gives undefined for invalid input, for express-validator to describe; null: the rules have a
 *   check that only express-validator knows
 */
function quickly(rules: InputSchema): Quick | null {
  const cached = quick.get(rules);
  if (cached !== undefined) return cached;
  const fields = Object.entries(rules).map(([path, field]) => ({ path, field, steps: stepsOf(field) }));
  const compiled: Quick = (given) => {
    const accepted = {};
    for (const { path, field, steps } of fields) {
      let value = valueAt(given, path);
      if (value === undefined && field.optional) continue;
      if (isOversized(field[JSON_SCHEMA], value)) return undefined;
      for (const step of steps ?? []) if (value !== undefined) value = step(value);
      if (value === undefined) return undefined;
      put(accepted, path, value);
    }
    return accepted;
  };
  const fresh = fields.some(({ steps }) => steps === null) ? null : compiled;
  quick.set(rules, fresh);
  return fresh;
}

/** A field's checks and sanitizers in express-validator's order; null: one of them is not supported here. */
function stepsOf(field: Field): Step[] | null {
  const steps: Step[] = [];
  for (const name of Object.keys(field)) {
    if (name === 'optional' || name === 'errorMessage') continue;
    const { options } = Object(field[name as keyof ParamSchema]) as { options?: unknown };
    const step = stepOf(name, options);
    if (!step) return null;
    steps.push(step);
  }
  return steps;
}

function stepOf(name: string, options: unknown): Step | null {
  if (name === 'isString') return (value) => (typeof value === 'string' ? value : undefined);
  if (name === 'isLength') {
    const { max } = options as { max: number };
    return (value) => (typeof value === 'string' && value.length <= max ? value : undefined);
  }
  // Not supported here: a check that takes more than the value, or returns a promise.
  if (typeof options !== 'function' || options.length > 1 || options.constructor !== Function) return null;
  const run = options as (value: unknown) => unknown;
  if (name === 'customSanitizer') return run;
  return name === 'custom' ? (value) => (holds(run, value) ? value : undefined) : null;
}

/** Calls a check, some of which report a violation by throwing. */
function holds(check: (value: unknown) => unknown, value: unknown): boolean {
  try {
    return check(value) === true;
  } catch {
    return false;
  }
}

function put(into: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at = into;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}

/** Cached per set of rules, because building the chains takes longer than running them. */
function chainsOf(rules: InputSchema, location: InputLocation): ValidationChain[] {
  const built = chains[location].get(rules);
  if (built) return built;
  const schema: Schema = rules;
  const fresh = checkSchema(schema, [location]);
  chains[location].set(rules, fresh);
  return fresh;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
