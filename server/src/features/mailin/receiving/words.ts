import { type ChatDoc, type MessageDoc, MessageModel, storedText } from '#features/chats';
import { MESSAGE_MAX_LENGTH } from '#features/chats/contract';
import type { SiteDoc } from '#features/sites';
import { storable } from '#platform/text';
import { cutQuotes } from '../cutting/cutQuotes.ts';
import type { MailIn } from '../mailIn.ts';
import { TEXT_MAX_LENGTH } from '../reading/mail.ts';
import type { AddressedMail } from './received.ts';

const SUBJECT_MAX_LENGTH = 300;
/** So many of the team's last messages are looked for in a mail, as quotes without any mark. */
const SENT_MAX = 50;

/** What becomes of a mail's text. */
export interface Words {
  /** What the chat shows; empty: there is nothing but files. */
  content: string;
  subject: string;
  /** All that was in the mail, where that is more. */
  whole?: string;
}

/**
 * Takes what is new of a mail's text: without what it quotes. Nothing is lost: where it is less than the mail, the whole is kept, too.
 * @param left names of files that are not taken
 */
export async function wordsOf(
  { mail, address }: AddressedMail,
  { chat, site, mailIn }: { chat: ChatDoc['_id']; site: SiteDoc; mailIn: MailIn },
  left: string[],
): Promise<Words> {
  const all = storable(mail.text).trim();
  const addresses = [mailIn.addresses.plain, mailIn.sender, site.name];
  const sent = [...(await sentIn(chat)), ...address.words];
  const { text, isCut } = cutQuotes(all, { sent, addresses, links: mailIn.links });
  const content = shortened(text.trim(), MESSAGE_MAX_LENGTH);
  const subject = storedText(site, shortened(storable(mail.subject), SUBJECT_MAX_LENGTH));
  if (!isCut && content.length === text.trim().length && left.length === 0) return { content, subject };
  const names = left.map((name) => `\n[${storable(name)}]`).join('');
  return { content, subject, whole: storedText(site, shortened(all, TEXT_MAX_LENGTH - names.length) + names) };
}

/** What the team, or the assistant, has written last. */
async function sentIn(chat: ChatDoc['_id']): Promise<string[]> {
  const messages = await MessageModel.find({ chat }, { content: 1, sender: 1 })
    .sort({ seq: -1 })
    .limit(SENT_MAX)
    .lean<Pick<MessageDoc, 'content' | 'sender'>[]>();
  return messages.filter(({ sender }) => sender !== 'visitor').map(({ content }) => content);
}

/** Cuts a text, but no character in the middle. */
const shortened = (text: string, max: number) => (text.length > max ? storable(text.slice(0, max)) : text);
