import { FILE_NAME_MAX_LENGTH } from '#platform/files/contract';
import {
  choice,
  converted,
  type Field,
  type InputSchema,
  InvalidValue,
  JSON_SCHEMA,
  sentence,
  text,
  whole,
} from '#platform/http';
import { normalized, storable } from '#platform/text';
import {
  ARTICLE_ALSO_ASKED_MAX,
  ARTICLE_ALSO_ASKED_MAX_LENGTH,
  ARTICLE_CATEGORY_MAX_LENGTH,
  ARTICLE_DESCRIPTION_MAX_LENGTH,
  ARTICLE_LANGUAGES,
  ARTICLE_SLUG_MAX_LENGTH,
  ARTICLE_TEXT_MAX_LENGTH,
  ARTICLE_TITLE_MAX_LENGTH,
  ARTICLES_MAX,
  slugOf,
} from './contract.ts';

const optionalRule = { options: { values: 'undefined' as const } };
/** The size of a text of the maximum length in JSON, where a character may take six bytes. */
export const ARTICLE_BODY_LIMIT = '300kb';

/** A language of articles. */
export const languageField = (label: string) => choice(label, ARTICLE_LANGUAGES);

/** Makes a field required that is optional by default. */
export function required({ optional: _, ...field }: Field): Field {
  return field as Field;
}

const title = text({ label: 'Title', max: ARTICLE_TITLE_MAX_LENGTH, optional: true, blank: true });
const body = text({ label: 'Text', max: ARTICLE_TEXT_MAX_LENGTH, optional: true, blank: true, raw: true });

/** A part of an address, as `slugOf` makes it of what is typed. */
const slug: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'string', maxLength: ARTICLE_SLUG_MAX_LENGTH },
  errorMessage: sentence('The address must be at most {max} characters long', { max: ARTICLE_SLUG_MAX_LENGTH }),
  custom: { options: (value: unknown) => typeof value === 'string', bail: true },
  customSanitizer: { options: (value: unknown) => slugOf(normalized(storable(String(value)), 'NFC')) },
};

const alsoAsked: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: ARTICLE_ALSO_ASKED_MAX,
    items: { type: 'string', maxLength: ARTICLE_ALSO_ASKED_MAX_LENGTH },
  },
  ...converted(toAlsoAsked),
};

/** @throws InvalidValue */
function toAlsoAsked(value: unknown): string[] {
  const asked = Array.isArray(value)
    ? value.map((each) => (typeof each === 'string' ? storable(each).trim() : null))
    : [null];
  if (
    asked.length > ARTICLE_ALSO_ASKED_MAX ||
    !asked.every((each) => each !== null && each.length <= ARTICLE_ALSO_ASKED_MAX_LENGTH)
  )
    throw new InvalidValue(
      sentence('Other ways to ask must be up to {max} texts of up to {length} characters', {
        max: ARTICLE_ALSO_ASKED_MAX,
        length: ARTICLE_ALSO_ASKED_MAX_LENGTH,
      }),
    );
  return [...new Set(asked.filter((each) => each !== null && each !== ''))] as string[];
}

/** A category's id; null: none. */
const category: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: { type: 'string', maxLength: ARTICLE_CATEGORY_MAX_LENGTH },
  errorMessage: sentence('category must be the id of a category, or null'),
  custom: {
    options: (value: unknown) =>
      value === null || (typeof value === 'string' && value.length <= ARTICLE_CATEGORY_MAX_LENGTH),
  },
};

/** The ids of articles in their order. */
const articles: Field = {
  [JSON_SCHEMA]: { type: 'array', maxItems: ARTICLES_MAX, items: { type: 'string', maxLength: 24 } },
  errorMessage: sentence('articles must be up to {max} ids', { max: ARTICLES_MAX }),
  custom: {
    options: (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
};

export const articleSchema: InputSchema = { category, title, text: body, lang: languageField('lang') };
export const articlePatchSchema: InputSchema = { category, status: choice('status', ['draft', 'archived']) };
export const orderSchema: InputSchema = { category: required(category), articles };
export const previewSchema: InputSchema = { text: required(body) };
export const textSchema: InputSchema = {
  title,
  text: body,
  description: text({ label: 'Description', max: ARTICLE_DESCRIPTION_MAX_LENGTH, optional: true, blank: true }),
  alsoAsked,
  slug,
  rev: whole('rev'),
};
export const publishSchema: InputSchema = { lang: languageField('lang') };
export const versionsSchema: InputSchema = { lang: required(languageField('lang')) };
export const pictureSchema: InputSchema = {
  name: text({ label: 'File name', max: FILE_NAME_MAX_LENGTH, optional: true }),
};
export const restoreSchema: InputSchema = { rev: whole('rev') };
