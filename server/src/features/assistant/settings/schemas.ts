import { ARTICLE_CATEGORIES_MAX, ARTICLE_LANGUAGES } from '#features/articles/contract';
import { choice, converted, type InputSchema, InvalidValue, JSON_SCHEMA, sentence, whole } from '#platform/http';
import { storable } from '#platform/text';
import { ASSISTANT_NAME_MAX_LENGTH, ASSISTANT_STEPS, ASSISTANT_TIMES, ASSISTANT_TOKENS_MAX } from '../contract.ts';

const ID_LENGTH = 36;
const optional = { options: { values: 'undefined' } } as const;

function toName(value: unknown): string {
  const name = typeof value === 'string' ? storable(value).trim() : null;
  if (name === null || name.length > ASSISTANT_NAME_MAX_LENGTH)
    throw new InvalidValue(sentence('The name can have up to {max} characters', { max: ASSISTANT_NAME_MAX_LENGTH }));
  return name;
}

/** Ids that no longer exist are kept: a category may come back with the version of the help centre that another editor saves. */
function toCategories(value: unknown): string[] {
  const isId = (each: unknown) => typeof each === 'string' && /^[\da-f-]{36}$/.test(each);
  if (!Array.isArray(value) || value.length > ARTICLE_CATEGORIES_MAX || !value.every(isId))
    throw new InvalidValue(sentence('Categories must be a list of their ids'));
  return [...new Set<string>(value)];
}

function toLanguages(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((each) => ARTICLE_LANGUAGES.includes(each)))
    throw new InvalidValue(
      sentence('Languages must be a list of {allowed}', { allowed: ARTICLE_LANGUAGES.join(', ') }),
    );
  return [...new Set<string>(value)];
}

/** Any part of the assistant's settings. */
export const assistantPatchSchema: InputSchema = {
  step: choice('step', ASSISTANT_STEPS),
  when: choice('when', ASSISTANT_TIMES),
  name: { optional, [JSON_SCHEMA]: { type: 'string', maxLength: ASSISTANT_NAME_MAX_LENGTH }, ...converted(toName) },
  categories: {
    optional,
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: ARTICLE_CATEGORIES_MAX,
      items: { type: 'string', format: 'uuid', maxLength: ID_LENGTH },
    },
    ...converted(toCategories),
  },
  languages: {
    optional,
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: ARTICLE_LANGUAGES.length,
      items: { type: 'string', enum: ARTICLE_LANGUAGES, maxLength: 2 },
    },
    ...converted(toLanguages),
  },
  tokensPerDay: whole('tokensPerDay', { optional: true, max: ASSISTANT_TOKENS_MAX }),
  rev: whole('rev'),
};
