import type { ReplyAddresses } from '../replyAddresses.ts';
import { findReplyAddress } from '../replyAddresses.ts';

/** The headers that tell whether a mail in a mailbox is for Parley. */
export const LOOKED_AT = [
  'to',
  'cc',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
  'in-reply-to',
  'references',
  'content-type',
];
const RECIPIENTS = LOOKED_AT.slice(0, LOOKED_AT.indexOf('in-reply-to'));
/** A mail may name thousands of mails that it answers: the newest are looked at. */
const ANSWERED_MAX = 100;
/** How the reference begins by which the self-check knows its mails. */
const CHECK_ID = '<check-';

/**
 * Whose a mail is: `chat`: it answers a mail of Parley; `perhaps`: a report, or a mail of the self-check, which `receive` decides on;
 * `other`: somebody else's, who shares the mailbox.
 */
export type Belonging = 'chat' | 'perhaps' | 'other';

/** Tells it by the headers alone, so that mails of others are never loaded. */
export async function belongingOf(raw: Uint8Array, addresses: ReplyAddresses): Promise<Belonging> {
  const headers = headersOf(Buffer.from(raw).toString('latin1'));
  const words = (names: string[]) =>
    names.flatMap((name) => headers.get(name) ?? []).flatMap((value) => value.split(/[\s<>()[\]",;:]/));
  const recipients = words(RECIPIENTS).filter(isLikeAddress);
  if (recipients.some((address) => addresses.tokenIn(address) !== null)) return 'chat';
  const answered = words(['in-reply-to', 'references'])
    .filter(isLikeAddress)
    .map((id) => `<${id}>`)
    .slice(-ANSWERED_MAX);
  if (answered.length > 0 && (await findReplyAddress([], answered))) return 'chat';
  if (!recipients.some(addresses.isOurs)) return 'other';
  const isReport = words(['content-type']).some((word) => word.toLowerCase() === 'multipart/report');
  return isReport || answered.some((id) => id.startsWith(CHECK_ID)) ? 'perhaps' : 'other';
}

const isLikeAddress = (word: string) => word.includes('@');

/** The values of each header, unfolded, by its name in lower case. */
function headersOf(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1)]);
  }
  return headers;
}
