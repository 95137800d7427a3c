import { choice, converted, type InputSchema, InvalidValue, isPublicUrl, JSON_SCHEMA, sentence } from '#platform/http';
import { ARTICLE_PAGES_MAX } from '../contract.ts';
import { languageField, required } from '../schemas.ts';

const URL_MAX_LENGTH = 1_000;

/** @throws InvalidValue */
function toUrls(value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= ARTICLE_PAGES_MAX;
  if (!isList || !value.every((each) => typeof each === 'string' && each.length <= URL_MAX_LENGTH && isPublicUrl(each)))
    throw new InvalidValue(
      sentence('Enter up to {max} public addresses that begin with https://', { max: ARTICLE_PAGES_MAX }),
    );
  return [...new Set(value.map((each) => new URL(each).href))];
}

export const importSchema: InputSchema = { dryRun: choice('dryRun', ['yes']) };
export const pagesSchema: InputSchema = {
  urls: {
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: ARTICLE_PAGES_MAX,
      items: { type: 'string', format: 'uri', maxLength: URL_MAX_LENGTH },
    },
    ...converted(toUrls),
  },
  lang: required(languageField('lang')),
};
