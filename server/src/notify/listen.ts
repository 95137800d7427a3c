import { bus } from '../bus.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import type { Mail } from '../mail/mail.ts';
import type { Presence } from '../presence/presence.ts';
import type { SiteDoc } from '../sites/model.ts';
import { siteIsOnline } from '../sites/online.ts';
import {
  awaitReaction,
  awaitReading,
  awaitReturn,
  forgetNotices,
  isUnattended,
  standDown,
  standDownUnlessOffline,
} from './arm.ts';
import { mailInvite } from './invite.ts';
import { mailTwoFactorNotice } from './security.ts';

/** On start, the chats of this many newest messages are looked at: far more than a crash can leave half done. */
const REPAIR_MESSAGES = 200;
/** What a crash left for longer is no news. */
const REPAIR_MAX_AGE_MS = 86_400_000;

/** What is listened with. */
interface ListenDeps {
  mail: Mail;
  presence: Presence;
  /** Milliseconds */
  now: () => number;
}

/** Notes down who is to be mailed, and stands down as soon as it is not needed. Gives the function that stops it. */
export function noticeWhatHappens({ mail, presence, now }: ListenDeps): () => void {
  const isQuiet = ({ bot, blocked }: ChatDoc) => bot || blocked;

  async function onMessage(chat: ChatDoc, site: SiteDoc, { sender, seq }: MessageDoc): Promise<void> {
    if (isQuiet(chat)) return;
    if (sender === 'agent') {
      await standDown(chat);
      if (chat.visitorInfo.email) await awaitReading(chat, seq, now());
    } else if (sender === 'visitor') {
      if (!siteIsOnline(site, presence, now())) await awaitReturn(chat, now());
      else if (isUnattended(chat)) await awaitReaction(chat, now());
    }
  }

  return bus.stopAll([
    bus.on('messageAdded', ({ chat, site, message }) => onMessage(chat, site, message)),
    bus.on('chatClaimed', async ({ chat, byHand }) => {
      if (byHand) await standDown(chat);
    }),
    bus.on('chatTakenUp', ({ chat }) => standDown(chat)),
    bus.on('chatHandedBack', async ({ chat }) => {
      if (!isQuiet(chat)) await awaitReaction(chat, now());
    }),
    bus.on('chatClosed', ({ chat, closer }) => (closer ? standDown(chat) : standDownUnlessOffline(chat))),
    bus.on('chatRemoved', async ({ chat }) => {
      await forgetNotices(chat);
      await mail.forget(chat._id.toHexString());
    }),
    bus.on('visitorErased', ({ visitor }) => mail.forget(visitor._id.toHexString())),
    bus.on('invited', (fact) => mailInvite(mail, fact)),
    bus.on('twoFactorEnabled', ({ userId }) => mailTwoFactorNotice(mail, userId, 'on')),
    bus.on('twoFactorDisabled', ({ userId }) => mailTwoFactorNotice(mail, userId, 'off')),
  ]);
}

/** Notes down, on start, what a crash kept from being noted after a message was stored. Noting twice changes nothing. */
export async function repairNotices(now: number): Promise<void> {
  const newest = await MessageModel.find().sort({ _id: -1 }).limit(REPAIR_MESSAGES).lean<MessageDoc[]>();
  const fresh = newest.filter(({ createdAt }) => createdAt.getTime() > now - REPAIR_MAX_AGE_MS);
  const last = new Map(fresh.reverse().map((message) => [message.chat.toHexString(), message]));
  const chats = await ChatModel.find({ _id: { $in: [...last.keys()] }, bot: false, blocked: false }).lean<ChatDoc[]>();
  for (const chat of chats) {
    const message = last.get(chat._id.toHexString());
    if (message?.sender === 'visitor' && isUnattended(chat)) await awaitReaction(chat, message.createdAt.getTime());
    if (message?.sender === 'agent' && chat.visitorInfo.email) await awaitReading(chat, message.seq, now);
  }
}
