import { FILE_NAME_MAX_LENGTH } from '#platform/files/contract';
import {
  choice,
  clientIdField,
  flag,
  ID_JSON_SCHEMA,
  type InputSchema,
  idField,
  isId,
  JSON_SCHEMA,
  pageFields,
  sentence,
  text,
  whole,
  wholeQuery,
} from '#platform/http';
import { normalized, storable } from '#platform/text';
import { MENTIONS_MAX, MESSAGE_MAX_LENGTH, SYNC_ROWS_MAX, TAG_MAX_LENGTH, TAGS_MAX } from './contract.ts';

/** The largest seq that calls take. */
export const SEQ_MAX = 999_999_999;
const THREAD_LIMIT_MAX = 100;
const CURSOR_MAX_LENGTH = 100;

/** A message's text as typed: blank text is refused, inner line breaks and spaces are kept. */
export const contentField = text({ label: 'Message', max: MESSAGE_MAX_LENGTH, raw: true });
const type = choice('type', ['text']);
const formatted = flag('formatted');

export const messageSchema: InputSchema = {
  content: contentField,
  type,
  formatted,
  clientId: clientIdField({ optional: true }),
};
export const uploadSchema: InputSchema = {
  name: text({ label: 'File name', max: FILE_NAME_MAX_LENGTH, optional: true }),
  clientId: clientIdField({ optional: true }),
};
export const editSchema: InputSchema = { content: contentField, edit: whole('edit', { optional: true }) };
export const answerEditSchema: InputSchema = { ...editSchema, formatted };
export const textSchema: InputSchema = { text: contentField, formatted, clientId: clientIdField({ optional: true }) };

const LIST_SEARCH_MAX_LENGTH = 200;
export const listSearch = text({ label: 'search', max: LIST_SEARCH_MAX_LENGTH, optional: true, blank: true });
export const statusChoice = choice('status', ['all', 'waiting', 'active', 'closed']);
const isClaimer = (value: unknown) => value === 'me' || value === 'none' || isId(value);
const claimedByField: InputSchema[string] = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'string', maxLength: 24 },
  errorMessage: sentence('claimedBy must be me, none or the id of a user'),
  custom: { options: isClaimer },
};
/** Normalizes a tag, so that tags which read alike are stored with one spelling. */
export function normalizeTag(tag: string): string {
  return normalized(storable(tag), 'NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** One tag, as it is stored. */
export const tagField: InputSchema[string] = {
  ...text({ label: 'tag', max: TAG_MAX_LENGTH, optional: true }),
  customSanitizer: { options: (value: unknown) => (typeof value === 'string' ? normalizeTag(value) : value) },
};
const isDepartment = (value: unknown) => value === 'none' || isId(value);
/** The department of a filter. */
export const departmentFilterField: InputSchema[string] = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'string', maxLength: 24 },
  errorMessage: sentence('department must be none or an id'),
  custom: { options: isDepartment },
};
/** The conditions that lists, counts and saved views have in common. */
export const conditionFields: InputSchema = {
  claimedBy: claimedByField,
  unread: choice('unread', ['yes']),
  tag: tagField,
  department: departmentFilterField,
};
/** The choices of the inbox, which also lists snoozed chats. */
export const listStatusChoice = choice('status', ['all', 'waiting', 'active', 'snoozed', 'assistant', 'closed']);
export const chatListSchema: InputSchema = {
  ...pageFields,
  status: listStatusChoice,
  ...conditionFields,
  handed: choice('handed', ['yes']),
  sort: choice('sort', ['activity', 'waiting']),
  search: listSearch,
};
export const threadSchema: InputSchema = {
  before: wholeQuery('before', 0, SEQ_MAX),
  after: wholeQuery('after', 0, SEQ_MAX),
  limit: wholeQuery('limit', 1, THREAD_LIMIT_MAX),
  afterEdit: wholeQuery('afterEdit', 0, SEQ_MAX),
};

export const seqSchema: InputSchema = { seq: whole('seq', { min: 1 }) };

const NOTES_LIMIT_MAX = 100;
const isMentionList = (value: unknown) => Array.isArray(value) && value.length <= MENTIONS_MAX && value.every(isId);
export const noteSchema: InputSchema = {
  content: text({ label: 'Note', max: MESSAGE_MAX_LENGTH, raw: true }),
  clientId: clientIdField({ optional: true }),
  mentions: {
    optional: { options: { values: 'undefined' } },
    [JSON_SCHEMA]: { type: 'array', maxItems: MENTIONS_MAX, items: ID_JSON_SCHEMA },
    errorMessage: sentence("A note can mention up to {max} members, each by the user's id", { max: MENTIONS_MAX }),
    custom: { options: isMentionList },
  },
};
export const noteListSchema: InputSchema = {
  before: idField('before', { optional: true }),
  limit: wholeQuery('limit', 1, NOTES_LIMIT_MAX),
};

const isTag = (value: unknown) =>
  typeof value === 'string' && normalizeTag(value) !== '' && normalizeTag(value).length <= TAG_MAX_LENGTH;
const isTagList = (value: unknown) => Array.isArray(value) && value.length <= TAGS_MAX && value.every(isTag);
export const tagSchema: InputSchema = {
  tags: {
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: TAGS_MAX,
      items: { type: 'string', minLength: 1, maxLength: TAG_MAX_LENGTH },
    },
    errorMessage: sentence('Tags must be a list of up to {max} words of up to {length} characters', {
      max: TAGS_MAX,
      length: TAG_MAX_LENGTH,
    }),
    custom: { options: isTagList, bail: true },
    customSanitizer: {
      options: (value: unknown) => (isTagList(value) ? [...new Set((value as string[]).map(normalizeTag))] : value),
    },
  },
};

/** What is wrong with a transfer that does not say to whom. */
export const NO_CLAIMER = sentence('userId must be an id, or null for the queue');
/** `null` means the queue and must be explicit: a forgotten field must not take a chat from its agent. */
export const newClaimerField: InputSchema[string] = {
  [JSON_SCHEMA]: ID_JSON_SCHEMA,
  errorMessage: NO_CLAIMER,
  custom: { options: (value: unknown) => value === null || isId(value) },
};
export const departmentIdField: InputSchema[string] = idField('department', { optional: true });
/** Which of the two there must be is checked by the call: a field's rule knows only its own value. */
export const transferSchema: InputSchema = {
  userId: { ...newClaimerField, optional: { options: { values: 'undefined' } } },
  department: departmentIdField,
};
export const departmentSchema: InputSchema = {
  department: {
    [JSON_SCHEMA]: ID_JSON_SCHEMA,
    errorMessage: sentence('department must be an id, or null for none'),
    custom: { options: (value: unknown) => value === null || isId(value) },
  },
};

const chatId = idField('chatId');
export const chatEventSchema: InputSchema = { chatId };
export const sendSchema: InputSchema = {
  chatId,
  content: contentField,
  type,
  formatted,
  clientId: clientIdField(),
};
export const typingFlag = { ...flag('isTyping'), optional: false as const };
export const typingSchema: InputSchema = { chatId, isTyping: typingFlag };
export const openSchema: InputSchema = {
  chatId,
  afterSeq: whole('afterSeq', { optional: true }),
  afterEdit: whole('afterEdit', { optional: true }),
};
export const receiptSchema: InputSchema = { chatId, seq: whole('seq', { min: 1 }) };
export const syncSchema: InputSchema = {
  cursor: text({ label: 'cursor', max: CURSOR_MAX_LENGTH, optional: true }),
  chats: {
    [JSON_SCHEMA]: {
      type: 'array',
      maxItems: SYNC_ROWS_MAX,
      items: {
        type: 'object',
        maxProperties: 10,
        properties: {
          chatId: ID_JSON_SCHEMA,
          afterSeq: { type: 'integer', minimum: 0 },
          afterEdit: { type: 'integer', minimum: 0 },
        },
      },
    },
    errorMessage: sentence(
      'chats must be a list of up to {max} chats, each with its chatId, afterSeq and, where known, afterEdit',
      { max: SYNC_ROWS_MAX },
    ),
    custom: { options: areClientThreads, bail: true },
    customSanitizer: {
      options: (chats: ClientThread[]) =>
        chats.map(({ chatId, afterSeq, afterEdit }) => ({ chatId, afterSeq, afterEdit })),
    },
  },
};

interface ClientThread {
  chatId: string;
  afterSeq: number;
  afterEdit?: number;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

function areClientThreads(value: unknown): value is ClientThread[] {
  return (
    Array.isArray(value) &&
    value.every(
      (row) => isId(row?.chatId) && isCount(row.afterSeq) && (row.afterEdit === undefined || isCount(row.afterEdit)),
    )
  );
}
