import type { MailDoor, MailRefusal } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';

const TITLES: Record<MailDoor, string> = {
  imap: msg('Mailbox (IMAP)'),
  smtp: msg('SMTP port'),
  lmtp: msg('LMTP port'),
  http: msg('HTTP call'),
};

/** What a way in which mails come in is called. */
export const doorTitle = (door: MailDoor) => t(TITLES[door]);

/** Why a mail became no message, in English, in the order of the screen. */
export const REFUSALS: Record<MailRefusal, string> = {
  unknown: msg('of no chat'),
  expired: msg('the address has expired'),
  blocked: msg('the visitor is blocked'),
  gone: msg('the visitor or the chat is deleted'),
  notAllowed: msg('the sender may not answer'),
  automatic: msg('automatic answers'),
  list: msg('mailing lists'),
  own: msg('own mails that came back'),
  report: msg('reports about undelivered mail'),
  repeated: msg('the same text again'),
  tooMany: msg('too many in an hour'),
  tooLarge: msg('too large'),
  unreadable: msg('unreadable'),
  empty: msg('empty'),
  full: msg('the storage of the website is full'),
};
