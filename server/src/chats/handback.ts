import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import { memberOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import { can } from '../team/contract.ts';
import type { ChatOfSite } from './actions.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { afterwards } from './queue.ts';

/** Gives a chat back to the queue: waiting again, without claimer. Null: it had none, or is closed. */
export async function handBack({ chat, site }: ChatOfSite): Promise<ChatDoc | null> {
  const waiting = await ChatModel.findOneAndUpdate(
    { _id: chat._id, open: true, claimedBy: chat.claimedBy, status: 'active' },
    { $set: { claimedBy: null, status: 'waiting', updatedAt: new Date() }, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (waiting) {
    afterwards(chat._id.toHexString(), async () => {
      await bus.tell('chatHandedBack', { chat: waiting, site });
      await bus.tell('chatChanged', { chat: waiting, site });
    });
  }
  return waiting;
}

/** Whoever leaves a team, or may only look from now on, leaves no visitor waiting. Gives the function that stops it. */
export function releaseChatsOfLeavers(): () => void {
  return bus.stopAll([
    bus.on('memberRemoved', ({ site, userId }) => release(site, userId)),
    bus.on('memberChanged', async ({ site, userId }) => {
      const entry = site.team.find(({ user }) => user.toHexString() === userId);
      const member = entry && memberOf(site, entry.user);
      if (member && !can(member, 'chats.reply')) await release(site, userId);
    }),
  ]);
}

async function release(site: SiteDoc, claimedBy: string | Types.ObjectId): Promise<void> {
  const chats = await ChatModel.find({ site: site._id, claimedBy, open: true }).lean<ChatDoc[]>();
  for (const chat of chats) await handBack({ chat, site });
}
