import { EMAIL_MAX_LENGTH } from '#features/auth/contract';
import { contentField, editSchema, typingFlag } from '#features/chats';
import { RATING_COMMENT_MAX_LENGTH, RATING_MAX, TYPING_TEXT_MAX_LENGTH } from '#features/chats/contract';
import {
  ATTRIBUTE_NAME_MAX_LENGTH,
  ATTRIBUTE_TEXT_MAX_LENGTH,
  ATTRIBUTES_MAX,
  type Attribute,
  PERSON_NOTE_MAX_LENGTH,
} from '#features/presence/contract';
import { PHONE, PHONE_MAX_LENGTH } from '#features/sites/contract';
import {
  choice,
  clientIdField,
  type Field,
  flag,
  type InputSchema,
  idField,
  JSON_SCHEMA,
  sentence,
  text,
  whole,
} from '#platform/http';
import { type AttributesBody, PAGE_URL_MAX_LENGTH, USER_ID_MAX_LENGTH, VISITOR_NAME_MAX_LENGTH } from './contract.ts';

/** The attributes that a website may set in one call. */
const attributesField = (label: string): Field => ({
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'object', maxProperties: ATTRIBUTES_MAX },
  errorMessage: sentence(
    '{field} must be at most {max} texts, numbers or booleans by name, names up to {name} and texts up to {text} characters long',
    { field: label, max: ATTRIBUTES_MAX, name: ATTRIBUTE_NAME_MAX_LENGTH, text: ATTRIBUTE_TEXT_MAX_LENGTH },
  ),
  custom: { options: isAttributes },
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isAttributes(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= ATTRIBUTES_MAX && entries.every(([name, each]) => isName(name) && isValue(each));
}

const isName = (name: string) => name.trim() !== '' && isText(name, ATTRIBUTE_NAME_MAX_LENGTH);

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return isText(value, ATTRIBUTE_TEXT_MAX_LENGTH);
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

/** The store cannot keep NUL and lone surrogates. */
const isText = (text: string, max: number) => text.length <= max && text.isWellFormed() && !text.includes('\0');

/** Merges new attributes into the known ones: the latest come last, and beyond the maximum the oldest are dropped. */
export function mergeAttributes(known: Attribute[] = [], told: AttributesBody): Attribute[] {
  const kept = known.filter(({ name }) => !Object.hasOwn(told, name));
  const added = Object.entries(told).flatMap(([name, value]) => (value === null ? [] : { name, value }));
  return addAttributes(kept, added);
}

/** Adds attributes to the known ones, in place of those of the same names. */
export function addAttributes(known: Attribute[], added: Attribute[]): Attribute[] {
  const names = new Set(added.map(({ name }) => name));
  return [...known.filter(({ name }) => !names.has(name)), ...added].slice(-ATTRIBUTES_MAX);
}

const TOKEN_MAX_LENGTH = 100;
const AT_MAX_LENGTH = 100;
const ASK_MAX_FIELDS = 10;
const EVENT_MAX_LENGTH = 40;
const TITLE_MAX_LENGTH = 300;
const IDENTITY_TOKEN_MAX_LENGTH = 4_000;
const LOCALE_MAX_LENGTH = 64;
const GREETING_ID_MAX_LENGTH = 36;

/** A page's address; only http and https addresses can safely be shown as links. */
const url = (optional: boolean): InputSchema[string] => ({
  ...text({ label: 'url', max: PAGE_URL_MAX_LENGTH, optional }),
  matches: { options: /^https?:\/\//i, errorMessage: sentence('url must begin with http:// or https://') },
});
const title = (optional: boolean) => text({ label: 'title', max: TITLE_MAX_LENGTH, optional, blank: true });
const WRONG_EMAIL = sentence('Please enter a valid email address');
const WRONG_PHONE = sentence('Please enter a valid phone number');
const name = (optional: boolean) => text({ label: 'Name', max: VISITOR_NAME_MAX_LENGTH, optional });
const email = (optional: boolean): InputSchema[string] => ({
  ...text({ label: 'Email', max: EMAIL_MAX_LENGTH, optional }),
  isEmail: { errorMessage: WRONG_EMAIL },
});

const phone: Field = {
  ...text({ label: 'Phone', max: PHONE_MAX_LENGTH, optional: true }),
  matches: { options: PHONE, errorMessage: WRONG_PHONE },
};
/** What a form of the widget sends besides name and address. */
const answers = {
  phone,
  answers: attributesField('answers'),
  consent: flag('consent'),
};

/** Checked only where there is something: an empty text means that it is not known. */
const isGiven = (value: unknown) => value !== '';

/** Corrections of what is known about a visitor. */
export const contactSchema: InputSchema = {
  name: text({ label: 'Name', max: VISITOR_NAME_MAX_LENGTH, optional: true, blank: true }),
  email: {
    ...text({ label: 'Email', max: EMAIL_MAX_LENGTH, optional: true, blank: true }),
    isEmail: { if: isGiven, errorMessage: WRONG_EMAIL },
  },
  phone: {
    ...text({ label: 'Phone', max: PHONE_MAX_LENGTH, optional: true, blank: true }),
    matches: { if: isGiven, options: PHONE, errorMessage: WRONG_PHONE },
  },
};

export const personNoteSchema: InputSchema = {
  content: text({ label: 'The note', max: PERSON_NOTE_MAX_LENGTH, blank: true }),
  version: idField('version', { optional: true }),
};

/** Far more than a language or a colour has: what pages get wrong is ignored, not refused. */
const PAGE_OPTION_MAX_LENGTH = 1_000;

export const configSchema: InputSchema = {
  v: text({ label: 'v', max: 20, optional: true, blank: true }),
  l: text({ label: 'l', max: PAGE_OPTION_MAX_LENGTH, optional: true, blank: true }),
  c: text({ label: 'c', max: PAGE_OPTION_MAX_LENGTH, optional: true, blank: true }),
};

const speaksField = text({ label: 'speaks', max: LOCALE_MAX_LENGTH, optional: true });

export const sessionSchema: InputSchema = {
  visitorToken: text({ label: 'visitorToken', max: TOKEN_MAX_LENGTH, optional: true }),
  'visitor.name': name(true),
  'visitor.email': email(true),
  'visitor.phone': answers.phone,
  'visitor.answers': answers.answers,
  'visitor.consent': answers.consent,
  'identity.id': text({ label: 'id', max: USER_ID_MAX_LENGTH, optional: true }),
  'identity.name': name(true),
  'identity.email': email(true),
  'identity.phone': phone,
  'identity.token': text({ label: 'token', max: IDENTITY_TOKEN_MAX_LENGTH, optional: true }),
  attributes: attributesField('attributes'),
  'page.url': url(true),
  'page.title': title(true),
  timeZone: text({ label: 'timeZone', max: LOCALE_MAX_LENGTH, optional: true }),
  language: text({ label: 'language', max: LOCALE_MAX_LENGTH, optional: true }),
  speaks: speaksField,
};

/** Unknown ids are no mistake: the greeting may have been removed since it was shown. */
export const greetingField = text({ label: 'greeting', max: GREETING_ID_MAX_LENGTH, optional: true, blank: true });
/** One that does not exist is ignored, so it may be any short text: no message may be lost for it. */
export const departmentField = text({ label: 'department', max: GREETING_ID_MAX_LENGTH, optional: true, blank: true });

export const visitorMessageSchema: InputSchema = {
  clientId: clientIdField(),
  content: contentField,
  type: choice('type', ['text']),
  greeting: greetingField,
  article: text({ label: 'article', max: GREETING_ID_MAX_LENGTH, optional: true, blank: true }),
  person: flag('person'),
  department: departmentField,
};

export const offlineSchema: InputSchema = {
  ...visitorMessageSchema,
  name: name(false),
  email: email(false),
  ...answers,
};

const isScore = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= RATING_MAX;
export const ratingSchema: InputSchema = {
  chatId: idField('chatId'),
  score: {
    [JSON_SCHEMA]: { type: 'integer', minimum: 1, maximum: RATING_MAX },
    custom: {
      options: isScore,
      errorMessage: sentence('{field} must be a whole number from {min} to {max}', {
        field: { text: 'Score' },
        min: 1,
        max: RATING_MAX,
      }),
    },
  },
  comment: text({ label: 'Comment', max: RATING_COMMENT_MAX_LENGTH, optional: true, blank: true }),
};

/** An agent's first message to a visitor. */
export const startChatSchema: InputSchema = {
  content: contentField,
  formatted: flag('formatted'),
  clientId: clientIdField({ optional: true }),
};

export const visitorSyncSchema: InputSchema = {
  chatId: idField('chatId', { optional: true }),
  afterSeq: whole('afterSeq', { optional: true }),
  beforeSeq: whole('beforeSeq', { optional: true }),
  afterEdit: whole('afterEdit', { optional: true }),
};
export const visitorDeleteSchema: InputSchema = { chatId: idField('chatId'), messageId: idField('messageId') };
export const visitorEditSchema: InputSchema = { ...visitorDeleteSchema, ...editSchema };
/** A request of the socket over HTTP; `ask` is checked against the schema of its event. */
export const visitorRequestSchema: InputSchema = {
  event: text({ label: 'event', max: EVENT_MAX_LENGTH }),
  ask: {
    [JSON_SCHEMA]: { type: 'object', maxProperties: ASK_MAX_FIELDS },
    custom: { options: isObject, errorMessage: sentence('ask must be an object') },
  },
};
export const pollSchema: InputSchema = {
  at: text({ label: 'at', max: AT_MAX_LENGTH, optional: true }),
  speaks: speaksField,
};
export const visitorTypingSchema: InputSchema = {
  isTyping: typingFlag,
  text: text({ label: 'text', max: TYPING_TEXT_MAX_LENGTH, optional: true, blank: true }),
};
export const pageSchema: InputSchema = { url: url(false), title: title(false) };
