import { DEPARTMENT_NAME_MAX_LENGTH, DEPARTMENTS_MAX } from '#features/departments/contract';
import { InvalidValue, type JsonSchema, labelled, sentence } from '#platform/http';
import {
  CONSENT_TEXT_MAX_LENGTH,
  GREETING_TEXT_MAX_LENGTH,
  GREETINGS_MAX,
  PRE_CHAT_FIELDS_MAX,
  PRE_CHAT_LABEL_MAX_LENGTH,
  PRE_CHAT_OPTION_MAX_LENGTH,
  PRE_CHAT_OPTIONS_MAX,
  SITE_TEXT_MAX_LENGTH,
} from '../contract.ts';
import { FLOW_LABEL_MAX_LENGTH, FLOW_QUESTION_MAX_LENGTH, FLOW_TOTAL_MAX, type FlowTexts } from '../flows/contract.ts';
import { LAUNCHER_TEXT_MAX_LENGTH } from '../launcher/contract.ts';
import { PART_ID } from '../widget/greetings.ts';
import { type FieldTexts, type OptionText, SITE_TEXTS_MAX_LENGTH, type SiteTexts } from './contract.ts';

/** The plain texts, with the longest that each may be and what it is called. */
const PLAIN = {
  navbarTitle: [SITE_TEXT_MAX_LENGTH, 'Navbar title'],
  welcomeMessage: [SITE_TEXT_MAX_LENGTH, 'Welcome message'],
  offlineMessage: [SITE_TEXT_MAX_LENGTH, 'Offline message'],
  launcherText: [LAUNCHER_TEXT_MAX_LENGTH, 'Text'],
  consent: [CONSENT_TEXT_MAX_LENGTH, 'The consent'],
} as const;

const WRONG = sentence('The texts of a language must be an object');
const short = (maxLength: number): JsonSchema => ({ type: 'string', maxLength });
const byId = (maxProperties: number, additionalProperties: JsonSchema): JsonSchema => ({
  type: 'object',
  maxProperties,
  additionalProperties,
});

/** The texts of a language that a form may send. */
export const SITE_TEXTS_JSON_SCHEMA: JsonSchema = {
  type: 'object',
  maxProperties: 20,
  properties: {
    ...Object.fromEntries(Object.entries(PLAIN).map(([name, [max]]) => [name, short(max)])),
    greetings: byId(GREETINGS_MAX, short(GREETING_TEXT_MAX_LENGTH)),
    buttons: byId(FLOW_TOTAL_MAX, {
      type: 'object',
      maxProperties: 10,
      properties: { label: short(FLOW_LABEL_MAX_LENGTH), question: short(FLOW_QUESTION_MAX_LENGTH) },
    }),
    departments: byId(DEPARTMENTS_MAX, short(DEPARTMENT_NAME_MAX_LENGTH)),
    fields: byId(PRE_CHAT_FIELDS_MAX, {
      type: 'object',
      maxProperties: 10,
      properties: {
        label: short(PRE_CHAT_LABEL_MAX_LENGTH),
        options: {
          type: 'array',
          maxItems: PRE_CHAT_OPTIONS_MAX,
          items: {
            type: 'object',
            maxProperties: 10,
            properties: { option: short(PRE_CHAT_OPTION_MAX_LENGTH), text: short(PRE_CHAT_OPTION_MAX_LENGTH) },
          },
        },
      },
    }),
  },
};

/**
 * Converts the texts of a language from a form to the stored form: without gaps. null removes the language.
 * @throws InvalidValue when they are invalid
 */
export function toSiteTexts(value: unknown): SiteTexts | null {
  if (value === null) return null;
  if (!isRecord(value)) throw new InvalidValue(WRONG);
  const plain = Object.entries(PLAIN).map(([name, [max, what]]) => [name, words(value[name], max, what)]);
  const greetings = entriesOf(value.greetings, GREETINGS_MAX).map(([id, text]) => [
    id,
    words(text, GREETING_TEXT_MAX_LENGTH, 'The text of a greeting'),
  ]);
  const buttons = entriesOf(value.buttons, FLOW_TOTAL_MAX).map(([id, button]) => [id, toFlowTexts(button)]);
  const departments = entriesOf(value.departments, DEPARTMENTS_MAX).map(([id, name]) => [
    id,
    line(name, DEPARTMENT_NAME_MAX_LENGTH, 'The name of a department'),
  ]);
  const fields = entriesOf(value.fields, PRE_CHAT_FIELDS_MAX).map(([id, field]) => [id, toFieldTexts(field)]);
  const texts: SiteTexts = {
    ...filled(plain),
    ...filled([
      ['greetings', filled(greetings)],
      ['buttons', filled(buttons)],
      ['departments', filled(departments)],
      ['fields', filled(fields)],
    ]),
  };
  if (JSON.stringify(texts).length > SITE_TEXTS_MAX_LENGTH)
    throw new InvalidValue(
      sentence('The texts of a language can have up to {max} characters', { max: SITE_TEXTS_MAX_LENGTH }),
    );
  return texts;
}

function toFlowTexts(value: unknown): FlowTexts {
  const { label, question } = isRecord(value) ? value : {};
  return filled([
    ['label', line(label, FLOW_LABEL_MAX_LENGTH, 'The text of a button')],
    ['question', line(question, FLOW_QUESTION_MAX_LENGTH, 'A question')],
  ]);
}

function toFieldTexts(value: unknown): FieldTexts {
  const { label, options = [] } = isRecord(value) ? value : {};
  if (!Array.isArray(options) || options.length > PRE_CHAT_OPTIONS_MAX)
    throw new InvalidValue(sentence('A choice can have up to {max} answers', { max: PRE_CHAT_OPTIONS_MAX }));
  const texts = options.map((each): OptionText => {
    const { option, text } = isRecord(each) ? each : {};
    return {
      option: line(option, PRE_CHAT_OPTION_MAX_LENGTH, 'An answer'),
      text: line(text, PRE_CHAT_OPTION_MAX_LENGTH, 'An answer'),
    };
  });
  return filled([
    ['label', line(label, PRE_CHAT_LABEL_MAX_LENGTH, 'The name of a field')],
    ['options', texts.filter(({ option, text }) => option && text)],
  ]);
}

/** The entries of an object whose keys are ids. @throws InvalidValue */
function entriesOf(value: unknown = {}, max: number): [id: string, each: unknown][] {
  const entries = isRecord(value) ? Object.entries(value) : null;
  if (!entries || entries.length > max || !entries.every(([id]) => PART_ID.test(id))) throw new InvalidValue(WRONG);
  return entries;
}

/** Without what is empty: texts, lists and objects. */
function filled(entries: unknown[][]): Record<string, never> {
  return Object.fromEntries(entries.filter(([, value]) => Object.keys(Object(value)).length > 0));
}

/** A text without what no store keeps: NUL and lone surrogates. */
function words(value: unknown = '', max: number, what: string): string {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().trim() : null;
  if (text === null || text.length > max)
    throw new InvalidValue(sentence('{field} must be at most {max} characters long', { field: labelled(what), max }));
  return text;
}

const line = (value: unknown, max: number, what: string) => words(value, max, what).replace(/\s+/g, ' ');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
