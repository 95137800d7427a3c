import { normalizeDomain } from '#features/sites';
import {
  choice,
  converted,
  type Field,
  flag,
  type InputSchema,
  InvalidValue,
  JSON_SCHEMA,
  type JsonSchema,
  sentence,
  whole,
} from '#platform/http';
import { storable } from '#platform/text';
import {
  ARTICLE_CATEGORIES_MAX,
  ARTICLE_CATEGORY_MAX_LENGTH,
  ARTICLE_LANGUAGES,
  type ArticleCategory,
  type ArticleLanguage,
  type ByLanguage,
  HELP_HANDLE_MAX_LENGTH,
  HELP_LINK_LABEL_MAX_LENGTH,
  HELP_LINKS_MAX,
  type HelpCenter,
  WIDGET_ARTICLES,
} from './contract.ts';
import { languageField } from './schemas.ts';

const HOST_MAX_LENGTH = 253;
const LINK_MAX_LENGTH = 1_000;
const ID_LENGTH = 36;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const HANDLE = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** An optional field whose value is converted. */
const optional = (schema: JsonSchema, convert: (value: unknown) => unknown): Field => ({
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: schema,
  ...converted(convert),
});

function toHandle(value: unknown): string {
  const handle = typeof value === 'string' ? value.trim().toLowerCase() : null;
  if (handle === null || handle.length > HELP_HANDLE_MAX_LENGTH || (handle !== '' && !HANDLE.test(handle)))
    throw new InvalidValue(
      sentence('The address must be up to {max} letters from a to z, digits and -', { max: HELP_HANDLE_MAX_LENGTH }),
    );
  return handle;
}

/** A name of the site's own, such as `help.example.com`: without protocol, port and path, and no number. */
function toHost(value: unknown): string | null {
  if (value === null || value === '') return null;
  const host = typeof value === 'string' ? normalizeDomain(value) : null;
  if (host === null || !/\.[a-z][a-z0-9-]*$/.test(host))
    throw new InvalidValue(sentence('Enter the host name without https:// and without a path, like help.example.com'));
  return host;
}

function toLanguages(value: unknown): ArticleLanguage[] {
  if (!Array.isArray(value) || !value.every((each) => ARTICLE_LANGUAGES.includes(each)))
    throw new InvalidValue(
      sentence('Languages must be a list of {allowed}', { allowed: ARTICLE_LANGUAGES.join(', ') }),
    );
  return [...new Set(value)];
}

function toLinks(value: unknown): HelpCenter['links'] {
  if (!Array.isArray(value) || value.length > HELP_LINKS_MAX)
    throw new InvalidValue(sentence('There can be up to {max} links', { max: HELP_LINKS_MAX }));
  return value.map((each) => {
    const { label, url } = Object(each) as Record<string, unknown>;
    const [words, address] = [tidy(label), tidy(url)];
    if (words === '' || words.length > HELP_LINK_LABEL_MAX_LENGTH)
      throw new InvalidValue(
        sentence('A link needs a text of up to {max} characters', { max: HELP_LINK_LABEL_MAX_LENGTH }),
      );
    if (address.length > LINK_MAX_LENGTH || !/^https:\/\//i.test(address) || !URL.canParse(address))
      throw new InvalidValue(sentence('The address of a link must begin with https://'));
    return { label: words, url: new URL(address).href };
  });
}

const tidy = (value: unknown) => (typeof value === 'string' ? storable(value).trim() : '');

function toCategories(value: unknown): ArticleCategory[] {
  if (!Array.isArray(value) || value.length > ARTICLE_CATEGORIES_MAX)
    throw new InvalidValue(sentence('There can be up to {max} categories', { max: ARTICLE_CATEGORIES_MAX }));
  const categories = value.map(toCategory);
  if (new Set(categories.map(({ id }) => id)).size < categories.length)
    throw new InvalidValue(sentence('Each category must have an id of its own'));
  return categories;
}

function toCategory(value: unknown): ArticleCategory {
  const { id, name } = Object(value) as Record<string, unknown>;
  if (typeof id !== 'string' || !UUID.test(id)) throw new InvalidValue(sentence('The id of a category must be a UUID'));
  const names: ByLanguage<string> = {};
  for (const lang of ARTICLE_LANGUAGES) {
    const words = tidy(Object(name)[lang]);
    if (words.length > ARTICLE_CATEGORY_MAX_LENGTH) throw categoryName();
    if (words !== '') names[lang] = words;
  }
  if (Object.keys(names).length === 0) throw categoryName();
  return { id, name: names };
}

const categoryName = () =>
  new InvalidValue(sentence('A category needs a name of up to {max} characters', { max: ARTICLE_CATEGORY_MAX_LENGTH }));

const string = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const names = Object.fromEntries(ARTICLE_LANGUAGES.map((lang) => [lang, string(ARTICLE_CATEGORY_MAX_LENGTH)]));
const category: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  properties: {
    id: { type: 'string', format: 'uuid', maxLength: ID_LENGTH },
    name: { type: 'object', maxProperties: ARTICLE_LANGUAGES.length, properties: names },
  },
};
const link: JsonSchema = {
  type: 'object',
  maxProperties: 10,
  properties: {
    label: string(HELP_LINK_LABEL_MAX_LENGTH),
    url: { type: 'string', format: 'uri', maxLength: LINK_MAX_LENGTH },
  },
};

/** Any part of the settings of a help centre. */
export const helpPatchSchema: InputSchema = {
  enabled: flag('enabled'),
  handle: optional(string(HELP_HANDLE_MAX_LENGTH), toHandle),
  host: optional(string(HOST_MAX_LENGTH), toHost),
  language: languageField('language'),
  languages: optional(
    {
      type: 'array',
      maxItems: ARTICLE_LANGUAGES.length,
      items: { type: 'string', enum: ARTICLE_LANGUAGES, maxLength: 2 },
    },
    toLanguages,
  ),
  links: optional({ type: 'array', maxItems: HELP_LINKS_MAX, items: link }, toLinks),
  agentsEdit: flag('agentsEdit'),
  widget: choice('widget', WIDGET_ARTICLES),
  rev: whole('rev'),
};

export const categoriesSchema: InputSchema = {
  categories: {
    [JSON_SCHEMA]: { type: 'array', maxItems: ARTICLE_CATEGORIES_MAX, items: category },
    ...converted(toCategories),
  },
  rev: whole('rev'),
};
