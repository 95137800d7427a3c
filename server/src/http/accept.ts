import { checkSchema, matchedData, type Schema, type ValidationChain, validationResult } from 'express-validator';
import type { FieldError } from './contract.ts';
import { invalid } from './errors.ts';
import type { Field } from './shape.ts';

/** The rules of a body, a query or a socket payload: field by field, as express-validator takes them. */
export type Rules = Record<string, Field>;

type Place = 'body' | 'query';

const chains = { body: new WeakMap<Rules, ValidationChain[]>(), query: new WeakMap<Rules, ValidationChain[]>() };

/**
 * Checks `input` against the rules and gives only what they name, cleaned.
 * HTTP bodies, queries and socket payloads all pass here, so that one set of rules holds for every door.
 * @throws AppError 422 with every broken rule
 */
export async function accept(rules: Rules, input: unknown, place: Place = 'body'): Promise<Record<string, unknown>> {
  const request = { [place]: isRecord(input) ? input : {} };
  await Promise.all(chainsOf(rules, place).map((chain) => chain.run(request)));
  const errors: FieldError[] = validationResult(request)
    .array()
    .map((error) => ({ msg: String(error.msg), path: error.type === 'field' ? error.path : '' }));
  if (errors.length > 0) throw invalid(errors);
  return matchedData(request, { locations: [place], includeOptionals: false });
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
