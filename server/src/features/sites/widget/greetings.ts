import { InvalidValue, type JsonSchema, sentence } from '#platform/http';
import {
  GREETING_DELAY_MAX_S,
  GREETING_PAGE_MAX_LENGTH,
  GREETING_TEXT_MAX_LENGTH,
  GREETING_VISITS,
  GREETINGS_MAX,
  type Greeting,
  type GreetingVisits,
} from '../contract.ts';
import type { SiteDoc } from '../model.ts';

export const PART_ID_MAX_LENGTH = 36;
/** Of greetings, and of fields of a form. Hexadecimal, as ids are names of fields in the store: no word such as `constructor` fits. */
export const PART_ID = /^[\da-f-]{8,36}$/;

/** The greetings that a form may send. */
export const GREETINGS_JSON_SCHEMA: JsonSchema = {
  type: 'array',
  maxItems: GREETINGS_MAX,
  items: {
    type: 'object',
    maxProperties: 10,
    properties: {
      id: { type: 'string', pattern: PART_ID.source, maxLength: PART_ID_MAX_LENGTH },
      text: { type: 'string', minLength: 1, maxLength: GREETING_TEXT_MAX_LENGTH },
      enabled: { type: 'boolean' },
      page: { type: 'string', maxLength: GREETING_PAGE_MAX_LENGTH },
      after: { type: 'integer', minimum: 0, maximum: GREETING_DELAY_MAX_S },
      visits: { type: 'string', enum: GREETING_VISITS, maxLength: 9 },
      whileOnline: { type: 'boolean' },
      oncePerVisitor: { type: 'boolean' },
    },
  },
};

/** The site's greetings in their order. Sites from before there were greetings have none. */
export function greetingsOf({ settings }: Pick<SiteDoc, 'settings'>): Greeting[] {
  return settings.greetings ?? [];
}

/**
 * Converts greetings from a form to the stored form.
 * @throws InvalidValue when they are invalid
 */
export function toGreetings(value: unknown): Greeting[] {
  if (!Array.isArray(value) || value.length > GREETINGS_MAX)
    throw new InvalidValue(sentence('Greetings must be a list of up to {max}', { max: GREETINGS_MAX }));
  const greetings = value.map(toGreeting);
  if (new Set(greetings.map(({ id }) => id)).size < greetings.length)
    throw new InvalidValue(sentence('Each greeting must have an id of its own'));
  return greetings;
}

function toGreeting(value: unknown): Greeting {
  const { id, text, enabled, page, after, visits, whileOnline, oncePerVisitor } = Object(value) as Record<
    keyof Greeting,
    unknown
  >;
  const [words, part] = [tidy(text), tidy(page)];
  if (typeof id !== 'string' || !PART_ID.test(id))
    throw new InvalidValue(sentence('A greeting needs an id of 8 to 36 hexadecimal digits'));
  if (!words || words.length > GREETING_TEXT_MAX_LENGTH)
    throw new InvalidValue(
      sentence('A greeting needs a text of up to {max} characters', { max: GREETING_TEXT_MAX_LENGTH }),
    );
  if (part === null || part.length > GREETING_PAGE_MAX_LENGTH)
    throw new InvalidValue(
      sentence("The part of a page's address may have up to {max} characters", { max: GREETING_PAGE_MAX_LENGTH }),
    );
  if (!Number.isInteger(after) || Number(after) < 0 || Number(after) > GREETING_DELAY_MAX_S)
    throw new InvalidValue(sentence('A greeting can show after 0 to {max} seconds', { max: GREETING_DELAY_MAX_S }));
  if (!GREETING_VISITS.includes(visits as GreetingVisits))
    throw new InvalidValue(
      sentence('The visits of a greeting must be one of {allowed}', { allowed: GREETING_VISITS.join(', ') }),
    );
  if (![enabled, whileOnline, oncePerVisitor].every((flag) => typeof flag === 'boolean'))
    throw new InvalidValue(sentence('The switches of a greeting must be true or false'));
  return {
    id,
    text: words,
    enabled: enabled === true,
    page: part,
    after: Number(after),
    visits: visits as GreetingVisits,
    whileOnline: whileOnline === true,
    oncePerVisitor: oncePerVisitor === true,
  };
}

/** Without what no store keeps; null: not a text. */
function tidy(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().trim() : null;
}
