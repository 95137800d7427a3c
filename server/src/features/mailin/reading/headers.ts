import { addressParser, type Email } from 'postal-mime';
import { storable } from '#platform/text';
import type { ReadMail } from './mail.ts';
import { fromWindows1252 } from './texts.ts';

/** Headers with addresses that a mail was sent to. A mail server notes the one of its envelope when it delivers the mail. */
const RECIPIENT_HEADERS = [
  'to',
  'cc',
  'delivered-to',
  'x-original-to',
  'x-delivered-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
];
const RECIPIENTS_MAX = 200;
const ANSWERED_MAX = 30;
const SUBJECT_MAX_LENGTH = 200;
/** RFC 5321, 4.5.3.1: 64 characters, the @, and 255. */
const ADDRESS_MAX_LENGTH = 320;
/** What is longer is cut before it is parsed. */
const VALUE_MAX_LENGTH = 100_000;

/** What the headers of a mail say about it. */
export type MailHeaders = Pick<ReadMail, 'messageId' | 'from' | 'recipients' | 'answered' | 'returnPath' | 'subject'>;

/** Reads the headers of a parsed mail. Of headers that may stand there once only, the first counts. */
export function headersOf(email: Email): MailHeaders {
  const references = idsIn(headerOf(email, 'references') ?? '').reverse();
  const answered = new Set([...idsIn(headerOf(email, 'in-reply-to') ?? ''), ...references]);
  const recipients = email.headers.filter(({ key }) => RECIPIENT_HEADERS.includes(key));
  return {
    messageId: messageIdOf(headerOf(email, 'message-id') ?? ''),
    from: addressesIn(headerOf(email, 'from') ?? '')[0] ?? null,
    recipients: [...new Set(recipients.flatMap(({ value }) => addressesIn(value)))].slice(0, RECIPIENTS_MAX),
    answered: [...answered].slice(0, ANSWERED_MAX),
    returnPath: returnPathOf(headerOf(email, 'return-path')),
    subject: oneLine(email.subject ?? '')
      .slice(0, SUBJECT_MAX_LENGTH)
      .replace(/[\ud800-\udbff]$/, ''),
  };
}

/** The value of the first header of this name. @param key in lower case */
export function headerOf({ headers }: Email, key: string): string | null {
  return headers.find((header) => header.key === key)?.value.slice(0, VALUE_MAX_LENGTH) ?? null;
}

/** All addresses in a text like `Mina <mina@example.com>, …`, in lower case. */
export function addressesIn(value: string): string[] {
  return addressParser(value.slice(0, VALUE_MAX_LENGTH), { flatten: true })
    .map(({ address = '' }) => storable(address).trim().toLowerCase())
    .filter((address) => /^[^\s@]+@[^\s@]+$/.test(address) && address.length <= ADDRESS_MAX_LENGTH);
}

/** All ids in angle brackets. */
export function idsIn(value: string): string[] {
  return value.match(/<[^<>\s]{1,990}>/g)?.map(storable) ?? [];
}

/** Some programs leave the angle brackets out. */
function messageIdOf(value: string): string | null {
  const bare = /^[^<>\s]{1,990}$/.test(value) ? `<${storable(value)}>` : null;
  return idsIn(value)[0] ?? bare;
}

function returnPathOf(value: string | null): string | null {
  // Of qmail: a report about a report.
  if (value === null || /^(?:<>|<#@\[\]>)?$/.test(value.trim())) return value === null ? null : '';
  return addressesIn(value)[0] ?? null;
}

function oneLine(text: string): string {
  return fromWindows1252(storable(text))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
