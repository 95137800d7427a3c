import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { MailOutcome } from '../src/features/mailin/contract.ts';
import { createReplyAddresses } from '../src/features/mailin/replyAddresses.ts';
import type { Env, MailInSettings } from '../src/platform/env/index.ts';
import { type Mailbox, mailingInto } from './mailbox.ts';
import { type RawMail, rawMail } from './mails.ts';

/** What a test's program hands mails over with. */
export const MAIL_SECRET = 'sixteen-characters-or-more';

export const MAIL_IN: MailInSettings = {
  address: { local: 'chat', domain: 'example.com' },
  imap: null,
  listener: null,
  secret: MAIL_SECRET,
};

/** The settings of a server that mails into this box, and whose mails can be answered. */
export const answeringInto = (box: Mailbox): Partial<Env> => ({ ...mailingInto(box), mailIn: MAIL_IN });

/** A mail that was sent about a chat. */
export interface Mailed {
  chat: string;
  site: string;
  visitor: string;
  /** The member to whom it was sent; left out: the visitor. */
  user?: string;
  to: string;
}

/** Has a mail sent about a chat. @returns the address that it is answered to, and its `Message-ID` */
export async function mailed({ chat, site, visitor, user, to }: Mailed, id = '<mail-1@chat.example.com>') {
  const [ofChat, ofSite, ofVisitor] = [chat, site, visitor].map((hex) => new Types.ObjectId(hex)) as [
    Types.ObjectId,
    Types.ObjectId,
    Types.ObjectId,
  ];
  const about = { chat: ofChat, site: ofSite, visitor: ofVisitor, user: user ? new Types.ObjectId(user) : null, to };
  const messageId = `<${createHash('md5')
    .update(chat + id)
    .digest('hex')}@chat.example.com>`;
  const { replyTo } = await createReplyAddresses(MAIL_IN, Date.now).answerable(about, messageId, []);
  return { replyTo, messageId };
}

/** Hands a mail over by HTTP, as a program does. */
export async function handOverMail(
  url: string,
  mail: RawMail | Buffer,
  { secret = MAIL_SECRET, query = '', type = 'message/rfc822' } = {},
): Promise<{ status: number; outcome: MailOutcome | undefined; retryAfter?: number }> {
  const body = Buffer.isBuffer(mail) ? mail : rawMail(mail);
  const answer = await fetch(`${url}/api/mail/in${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': type },
    body: new Uint8Array(body),
  });
  const { data } = (await answer.json()) as { data?: { outcome: MailOutcome } };
  const retryAfter = answer.headers.get('retry-after');
  return { status: answer.status, outcome: data?.outcome, ...(retryAfter && { retryAfter: Number(retryAfter) }) };
}
