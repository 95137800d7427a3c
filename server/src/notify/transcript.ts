import { type ChatDoc, type MessageDoc, MessageModel } from '../chats/model.ts';
import type { Letter } from '../mail/letter.ts';
import { mailName } from '../mail/names.ts';
import type { SiteDoc } from '../sites/model.ts';
import { writerOf } from './quote.ts';

/** Messages in a mailed copy, and their text in UTF-16 units; of longer chats it has the newest. */
const MESSAGES_MAX = 500;
const TEXT_MAX = 100_000;

/** The copy of a chat for its visitor: what the visitor and the team wrote. */
export async function transcriptLetter(chat: ChatDoc, site: SiteDoc, to: string): Promise<Letter> {
  const where = mailName(site.name, 'a website');
  const newest = await MessageModel.find({ chat: chat._id, sender: { $in: ['visitor', 'agent'] } })
    .sort({ seq: -1 })
    .limit(MESSAGES_MAX)
    .lean<MessageDoc[]>();
  const messages = within(newest, TEXT_MAX).reverse();
  const isCut = (messages[0]?.seq ?? 1) > 1;
  return {
    kind: 'transcript',
    to,
    fromName: where,
    subject: `Your chat with ${where}`,
    text: [
      `Here is the copy of your chat with ${where} of ${dayOf(chat.createdAt)} that was asked for.`,
      ...(isCut ? [`It is a long one: these are its last ${messages.length} messages.`] : []),
      ...messages.map((message) => ({
        by: `${writerOf(message, 'You')}, ${dayOf(message.createdAt)} ${timeOf(message.createdAt)} UTC`,
        text: message.content,
      })),
    ],
    footer: `You get this mail because somebody asked in the chat of ${where} for it to be sent to this address. Nothing else will come.`,
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id, chat._id, chat.visitor].map(String),
  };
}

/** As many of the first ones as have so much text together. */
function within(messages: MessageDoc[], textMax: number): MessageDoc[] {
  let room = textMax;
  return messages.filter(({ content }) => {
    room -= content.length;
    return room >= 0;
  });
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const timeOf = (at: Date) => at.toISOString().slice(11, 16);
