import { checkSchema, matchedData, type Schema, type ValidationChain, validationResult } from 'express-validator';
import type { FieldError } from './contract.ts';
import { invalid } from './errors.ts';
import { type Field, isOversized, SHAPE } from './shape.ts';

/**
 * The rules of a body, a query or a socket payload: field by field, as express-validator takes them. A list is one field
 * with one check of its own: express-validator's wildcards (`chats.*.id`) cost the square of the list's length.
 */
export type Rules = Record<string, Field>;

type Place = 'body' | 'query';

const chains = { body: new WeakMap<Rules, ValidationChain[]>(), query: new WeakMap<Rules, ValidationChain[]>() };

/**
 * Checks `input` against the rules and gives only what they name, cleaned.
 * HTTP bodies, queries and socket payloads all pass here, so that one set of rules holds for every door.
 * @throws AppError 422 with every broken rule
 */
export async function accept(rules: Rules, input: unknown, place: Place = 'body'): Promise<Record<string, unknown>> {
  const given = isRecord(input) ? input : {};
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
function oversizedFields(rules: Rules, given: Record<string, unknown>): FieldError[] {
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

/** Built once for each set of rules: that takes longer than a check. */
function chainsOf(rules: Rules, place: Place): ValidationChain[] {
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
