import { createHash } from 'node:crypto';
import { converted, type Field, InvalidValue, JSON_SCHEMA, labelled, sentence } from '#platform/http';
import {
  CONSENT_TEXT_MAX_LENGTH,
  type Consent,
  PRE_CHAT_FIELD_KINDS,
  PRE_CHAT_FIELDS_MAX,
  PRE_CHAT_LABEL_MAX_LENGTH,
  PRE_CHAT_OPTION_MAX_LENGTH,
  PRE_CHAT_OPTIONS_MAX,
  PRIVACY_URL_MAX_LENGTH,
  type PreChatField,
  type PreChatFieldKind,
} from '../contract.ts';
import { PART_ID, PART_ID_MAX_LENGTH } from './greetings.ts';

const TOO_MANY_FIELDS = sentence('The form before the chat can have up to {max} fields', { max: PRE_CHAT_FIELDS_MAX });
const optionalRule = { options: { values: 'undefined' as const } };
const OBJECT_MAX_PROPERTIES = 10;
const DERIVED_LENGTH = 16;
/** The kinds that have a place of their own in the visitor's data: one field each, with a label in the visitor's language. */
const KNOWN_KINDS: readonly PreChatFieldKind[] = ['name', 'email', 'phone'];

/** The fields of the form before the chat, as the settings form sends them. */
export const preChatFieldsField: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: {
    type: 'array',
    maxItems: PRE_CHAT_FIELDS_MAX,
    items: {
      type: 'object',
      maxProperties: OBJECT_MAX_PROPERTIES,
      properties: {
        id: { type: 'string', pattern: PART_ID.source, maxLength: PART_ID_MAX_LENGTH },
        kind: { type: 'string', maxLength: PRE_CHAT_LABEL_MAX_LENGTH, enum: PRE_CHAT_FIELD_KINDS },
        label: { type: 'string', maxLength: PRE_CHAT_LABEL_MAX_LENGTH },
        required: { type: 'boolean' },
        options: {
          type: 'array',
          maxItems: PRE_CHAT_OPTIONS_MAX,
          items: { type: 'string', maxLength: PRE_CHAT_OPTION_MAX_LENGTH },
        },
      },
    },
  },
  errorMessage: TOO_MANY_FIELDS,
  ...converted(toPreChatFields),
};

/** The line that visitors agree to, as the settings form sends it; null: none. */
export const consentField: Field = {
  optional: optionalRule,
  [JSON_SCHEMA]: {
    type: 'object',
    maxProperties: OBJECT_MAX_PROPERTIES,
    properties: {
      text: { type: 'string', maxLength: CONSENT_TEXT_MAX_LENGTH },
      url: { type: 'string', maxLength: PRIVACY_URL_MAX_LENGTH, format: 'uri' },
    },
  },
  errorMessage: sentence('The consent is too long'),
  ...converted(toConsent),
};

/**
 * Converts the fields of a form to the stored form.
 * @throws InvalidValue when they are invalid
 */
function toPreChatFields(value: unknown): PreChatField[] {
  if (!Array.isArray(value) || value.length > PRE_CHAT_FIELDS_MAX) throw new InvalidValue(TOO_MANY_FIELDS);
  const fields = value.map(toPreChatField);
  const names = fields.map(({ kind, label }) => (label === '' ? kind : label).toLowerCase());
  const kinds = fields.map(({ kind }) => kind).filter((kind) => KNOWN_KINDS.includes(kind));
  const ids = fields.flatMap(({ id }) => id ?? []);
  if ([names, kinds, ids].some((list) => new Set<string>(list).size < list.length))
    throw new InvalidValue(sentence('Two fields of the form before the chat are the same'));
  return withFieldIds(fields);
}

function toPreChatField(value: unknown): PreChatField {
  const { id, kind, label = '', required = false, options = [] } = isRecord(value) ? value : {};
  const known = PRE_CHAT_FIELD_KINDS.find((each) => each === kind);
  if (!known)
    throw new InvalidValue(sentence('A field must be one of {allowed}', { allowed: PRE_CHAT_FIELD_KINDS.join(', ') }));
  if (typeof required !== 'boolean') throw new InvalidValue(sentence('Required must be true or false'));
  if (id !== undefined && !(typeof id === 'string' && PART_ID.test(id)))
    throw new InvalidValue(sentence('The id of a field must be 8 to 36 hexadecimal digits'));
  const base = {
    ...(id && { id }),
    kind: known,
    label: line(label, PRE_CHAT_LABEL_MAX_LENGTH, 'The name of a field'),
    required,
  };
  if (base.label === '' && !KNOWN_KINDS.includes(known))
    throw new InvalidValue(sentence('Each field of your own needs a name'));
  if (known !== 'choice') return base;
  if (!Array.isArray(options) || options.length > PRE_CHAT_OPTIONS_MAX)
    throw new InvalidValue(sentence('A choice can have up to {max} answers', { max: PRE_CHAT_OPTIONS_MAX }));
  const texts = options.map((option) => line(option, PRE_CHAT_OPTION_MAX_LENGTH, 'An answer')).filter(Boolean);
  if (texts.length < 2 || new Set(texts).size < texts.length)
    throw new InvalidValue(sentence('“{name}” needs at least two different answers', { name: base.label }));
  return { ...base, options: texts };
}

/**
 * The fields, each with an id. Where none was sent or stored, it is made of kind and label: a field that is sent again as it is
 * keeps its translations, and one that keeps its id does so under another label, too.
 */
export function withFieldIds(fields: readonly PreChatField[]): (PreChatField & { id: string })[] {
  const used = new Set(fields.flatMap(({ id }) => id ?? []));
  return fields.map((field) => {
    let id = field.id ?? idOf(`${field.kind} ${field.label}`);
    while (!field.id && used.has(id)) id = idOf(id);
    used.add(id);
    return { ...field, id };
  });
}

const idOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, DERIVED_LENGTH);

/** @throws InvalidValue when it is invalid */
function toConsent(value: unknown): Consent | null {
  if (value === null) return null;
  const { text, url = null } = isRecord(value) ? value : {};
  const words = line(text, CONSENT_TEXT_MAX_LENGTH, 'The consent');
  if (words === '') throw new InvalidValue(sentence('Write what visitors agree to'));
  if (url === null || url === '') return { text: words, url: null };
  const address = line(url, PRIVACY_URL_MAX_LENGTH, 'The link of the consent');
  if (!/^https:\/\//i.test(address) || !URL.canParse(address))
    throw new InvalidValue(sentence('The link of the consent must be an address that begins with https://'));
  return { text: words, url: address };
}

/** A text in one line, without what no store keeps: NUL and lone surrogates. */
function line(value: unknown, max: number, what: string): string {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim() : null;
  if (text === null || text.length > max)
    throw new InvalidValue(sentence('{field} must be at most {max} characters long', { field: labelled(what), max }));
  return text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
