import type { ImportFailure, ImportField, ImportSkip } from 'server/contract';
import { msg } from '../../lib/i18n.ts';

/** What the columns of a file can be, in the order of the form. */
export const FIELDS: Record<ImportField, { label: string; hint?: string }> = {
  conversation: { label: msg('Conversation id'), hint: msg('Rows with the same value are one chat.') },
  time: { label: msg('Time') },
  sender: {
    label: msg('Visitor or team'),
    hint: msg('Such as visitor, user, customer or incoming, and agent, operator, admin or outgoing.'),
  },
  text: { label: msg('Text') },
  senderName: { label: msg('Name of the sender') },
  visitorName: { label: msg('Name of the visitor') },
  visitorEmail: { label: msg('Email of the visitor') },
  message: { label: msg('Message id'), hint: msg('Rows with the same value are one message.') },
  note: { label: msg('Private note'), hint: msg('Rows that say true, yes or note are left out.') },
};

export const SKIPS: Record<ImportSkip, string> = {
  noConversation: msg('No conversation id'),
  noTime: msg('No time'),
  badTime: msg('A time that cannot be read'),
  timeOutOfRange: msg('A time before the year 2000 or in the future'),
  noText: msg('No text'),
  tooLong: msg('A text of more than 50,000 characters'),
  badSender: msg('Neither the visitor nor the team'),
  system: msg('A message of the system'),
  note: msg('A private note'),
  repeated: msg('The same message once more'),
  retention: msg('Older than this website keeps chats'),
  erased: msg('Of a person whose data was deleted'),
};

export const FAILURES: Record<ImportFailure, string> = {
  SITE_FULL: msg('This website has no storage left. What was imported before stays.'),
  UNREADABLE: msg('The file could not be read.'),
  TOO_MANY: msg('The file has too many messages. Split it into several files.'),
  UNAVAILABLE: msg('The server could not go on. Start the import again: nothing is doubled.'),
};
