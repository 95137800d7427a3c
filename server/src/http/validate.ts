import {
  checkSchema,
  matchedData,
  type ParamSchema,
  type Schema,
  type ValidationChain,
  validationResult,
} from 'express-validator';
import type { FieldError } from './contract.ts';
import { invalid } from './errors.ts';
import { type Field, isOversized, SHAPE } from './shape.ts';

/**
 * What a body, a query or a socket payload may hold: field by field, as express-validator takes them. A list is one field
 * with one check of its own: express-validator's wildcards (`chats.*.id`) cost the square of the list's length.
 */
export type InputSchema = Record<string, Field>;

type Place = 'body' | 'query';

const chains = {
  body: new WeakMap<InputSchema, ValidationChain[]>(),
  query: new WeakMap<InputSchema, ValidationChain[]>(),
};

/**
 * Checks `input` against the rules and gives only what they name, cleaned.
 * HTTP bodies, queries and socket payloads all pass here, so that one set of rules holds for all of them.
 * @throws AppError 422 with every broken rule
 */
export async function validate(
  rules: InputSchema,
  input: unknown,
  place: Place = 'body',
): Promise<Record<string, unknown>> {
  const given = isRecord(input) ? input : {};
  const accepted = quickly(rules)?.(given);
  if (accepted) return accepted;
  const request = { [place]: given };
  const oversized = oversizedFields(rules, given);
  if (oversized.length > 0) throw invalid(oversized);
  await Promise.all(chainsOf(rules, place).map((chain) => chain.run(request)));
  const errors: FieldError[] = validationResult(request)
    .array()
    .map((error) => ({ msg: String(error.msg), path: error.type === 'field' ? error.path : '' }));
  if (errors.length > 0) throw invalid(errors);
  return matchedData(request, { locations: [place], includeOptionals: false });
}

/** What is larger than its field can be: checks and cleaning may cost more than in proportion, so they never see it. */
function oversizedFields(rules: InputSchema, given: Record<string, unknown>): FieldError[] {
  return Object.entries(rules).flatMap(([path, field]) => {
    if (!isOversized(field[SHAPE], valueAt(given, path))) return [];
    return { msg: String(field.errorMessage ?? `${path} is too long`), path };
  });
}

function valueAt(given: Record<string, unknown>, path: string): unknown {
  let at: unknown = given;
  for (const name of path.split('.')) at = isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

type Quick = (given: Record<string, unknown>) => Record<string, unknown> | undefined;
/** One check or cleaning of a value, as it is passed on; undefined: refused. */
type Step = (value: unknown) => unknown;

const quick = new WeakMap<InputSchema, Quick | null>();

/**
 * The rules as plain functions, compiled once: what keeps to them, as nearly everything does, is accepted at a tenth of the
 * cost. Undefined is given where something is wrong: what, is for express-validator to say. Null: the rules have a check
 * that only express-validator knows.
 */
function quickly(rules: InputSchema): Quick | null {
  const known = quick.get(rules);
  if (known !== undefined) return known;
  const fields = Object.entries(rules).map(([path, field]) => ({ path, field, steps: stepsOf(field) }));
  const compiled: Quick = (given) => {
    const accepted = {};
    for (const { path, field, steps } of fields) {
      let value = valueAt(given, path);
      if (value === undefined && field.optional) continue;
      if (isOversized(field[SHAPE], value)) return undefined;
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

/** A field's checks and cleanings in the order in which express-validator runs them; null: one of them is not known here. */
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
  // One that takes more than the value, or gives a promise, is not known here.
  if (typeof options !== 'function' || options.length > 1 || options.constructor !== Function) return null;
  const run = options as (value: unknown) => unknown;
  if (name === 'customSanitizer') return run;
  return name === 'custom' ? (value) => (holds(run, value) ? value : undefined) : null;
}

/** Some checks say what is wrong by throwing it. */
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

/** Built once for each set of rules: that takes longer than a check. */
function chainsOf(rules: InputSchema, place: Place): ValidationChain[] {
  const built = chains[place].get(rules);
  if (built) return built;
  const schema: Schema = rules;
  const fresh = checkSchema(schema, [place]);
  chains[place].set(rules, fresh);
  return fresh;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
