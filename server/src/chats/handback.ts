import type { QueryFilter, Types } from 'mongoose';
import { bus } from '../bus.ts';
import { memberOf, sitesOf } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { can } from '../team/contract.ts';
import type { ChatOfSite } from './actions.ts';
import { type ChatDoc, ChatModel, TOUCHED } from './model.ts';
import { afterwards } from './queue.ts';

/**
 * Gives a chat back to the queue: waiting again, without claimer, and not for the one who had it. Null: it had none, or is
 * closed.
 * @param only what must still hold of the chat
 */
export async function handBack({ chat, site }: ChatOfSite, only: QueryFilter<ChatDoc> = {}): Promise<ChatDoc | null> {
  const waiting = await ChatModel.findOneAndUpdate(
    { ...only, _id: chat._id, open: true, claimedBy: chat.claimedBy, status: 'active' },
    {
      $set: { claimedBy: null, status: 'waiting' },
      ...TOUCHED,
      $unset: { assignedAt: 1, assignedUntil: 1, handedBy: 1 },
      $addToSet: { passedBy: chat.claimedBy },
      $inc: { rev: 1 },
    },
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

/** Whoever leaves a team, is suspended, or may only look from now on, leaves no visitor waiting. Gives the function that stops it. */
export function releaseChatsOfLeavers(): () => void {
  return bus.stopAll([
    bus.on('accountSuspended', async ({ userId }) => {
      for (const site of await sitesOf(userId)) await release(site, userId);
    }),
    bus.on('memberRemoved', ({ site, userId }) => release(site, userId)),
    bus.on('memberChanged', async ({ site, userId }) => {
      const entry = site.team.find(({ user }) => user.toHexString() === userId);
      const member = entry && memberOf(site, entry.user);
      if (member && !can(member, 'chats.reply')) await release(site, userId);
    }),
  ]);
}

/** Gives every open chat that this person has on a site back to the queue. */
export async function release(site: SiteDoc, claimedBy: string | Types.ObjectId): Promise<void> {
  const chats = await ChatModel.find({ site: site._id, claimedBy, open: true }).lean<ChatDoc[]>();
  for (const chat of chats) await handBack({ chat, site });
}
