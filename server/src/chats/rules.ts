import type { Rules } from '../http/accept.ts';
import { choice, clientIdField, idField, pageFields, text, whole, wholeQuery } from '../http/fields.ts';
import { MESSAGE_MAX_LENGTH, SYNC_ROWS_MAX } from './contract.ts';

const SEQ_MAX = 999_999_999;
const THREAD_LIMIT_MAX = 100;
const CURSOR_MAX_LENGTH = 100;

/** A message's text as typed: blank is refused, the line breaks and blanks inside are kept. */
export const contentField = text({ label: 'Message', max: MESSAGE_MAX_LENGTH, raw: true });
const type = choice('type', ['text']);

export const messageRules: Rules = { content: contentField, type, clientId: clientIdField({ optional: true }) };
export const textRules: Rules = { text: contentField, clientId: clientIdField({ optional: true }) };

export const chatListRules: Rules = { ...pageFields, status: choice('status', ['all', 'waiting', 'active', 'closed']) };
export const threadRules: Rules = {
  before: wholeQuery('before', 0, SEQ_MAX),
  after: wholeQuery('after', 0, SEQ_MAX),
  limit: wholeQuery('limit', 1, THREAD_LIMIT_MAX),
};

const chatId = idField('chatId');
export const chatEventRules: Rules = { chatId };
export const sendRules: Rules = { chatId, content: contentField, type, clientId: clientIdField() };
export const openRules: Rules = { chatId, afterSeq: whole('afterSeq', { optional: true }) };
export const receiptRules: Rules = { chatId, seq: whole('seq', { min: 1 }) };
export const syncRules: Rules = {
  cursor: text({ label: 'cursor', max: CURSOR_MAX_LENGTH, optional: true }),
  chats: {
    isArray: { options: { max: SYNC_ROWS_MAX }, bail: true, errorMessage: 'chats must be a list' },
  },
  'chats.*.chatId': chatId,
  'chats.*.afterSeq': whole('afterSeq'),
};
