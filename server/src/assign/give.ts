import { peopleById } from '../auth/people.ts';
import { bus } from '../bus.ts';
import type { ChatOfSite } from '../chats/actions.ts';
import { type ChatDoc, ChatModel, TOUCHED } from '../chats/model.ts';
import { afterwards } from '../chats/queue.ts';
import type { FreeMember } from './members.ts';

/** An assigned chat that its claimer has not opened by then, and nobody answered, goes to the next. */
export const OPEN_WITHIN_MS = 60_000;

/**
 * Gives a chat to a member, if it is still as it was read: whoever claims it by hand or closes it first wins.
 * @param now milliseconds
 * @returns whether it was given
 */
export async function give({ chat, site }: ChatOfSite, { _id }: FreeMember, now: number): Promise<boolean> {
  const given = await ChatModel.findOneAndUpdate(
    { _id: chat._id, open: true, claimedBy: chat.claimedBy, assignedUntil: chat.assignedUntil ?? null },
    {
      $set: {
        claimedBy: _id,
        status: 'active',
        assignedAt: new Date(now),
        assignedUntil: new Date(now + OPEN_WITHIN_MS),
      },
      ...TOUCHED,
      ...(chat.claimedBy ? { $addToSet: { passedBy: chat.claimedBy } } : {}),
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!given) return false;
  const person = (await peopleById([_id])).get(_id.toHexString());
  const claimer = { _id: _id.toHexString(), name: person?.name ?? '' };
  afterwards(chat._id.toHexString(), async () => {
    await bus.tell('chatClaimed', { chat: given, site, claimer, byHand: false });
    await bus.tell('chatChanged', { chat: given, site });
  });
  return true;
}
