import { peopleById } from '../auth/people.ts';
import { bus } from '../bus.ts';
import { conflict, notFound } from '../http/errors.ts';
import { memberOf } from '../sites/access.ts';
import { can } from '../team/contract.ts';
import { type ChatOfSite, claimRefusal } from './actions.ts';
import type { Claimer } from './contract.ts';
import { handBack } from './handback.ts';
import { type ChatDoc, ChatModel, TAKEN_UP } from './model.ts';
import { afterwards } from './queue.ts';

/**
 * Gives an open chat to a colleague, or back to the queue. Of two transfers at once one wins; giving it to whoever has
 * it changes nothing.
 * @param userId the colleague's id; null: the queue
 * @throws AppError 404 for somebody who is no member, 409 for one who may not answer, `CHAT_CLOSED`,
 *   `CHAT_ALREADY_CLAIMED` when the claimer changed meanwhile
 */
export async function transferChat(of: ChatOfSite, userId: string | null): Promise<ChatDoc> {
  const moved = userId === null ? await handBack(of) : await giveTo(of, await colleague(of, userId));
  if (moved) return moved;
  const now = await ChatModel.findById(of.chat._id).lean<ChatDoc>();
  if (now && now.status !== 'closed' && (now.claimedBy?.toHexString() ?? null) === (userId?.toLowerCase() ?? null))
    return now;
  throw await claimRefusal(now);
}

async function colleague({ site }: ChatOfSite, userId: string): Promise<Claimer> {
  const entry = site.team.find(({ user }) => user.equals(userId));
  const member = entry && memberOf(site, entry.user);
  const person = entry && (await peopleById([entry.user])).get(entry.user.toHexString());
  if (!member || !person) throw notFound('member');
  if (!can(member, 'chats.reply')) throw conflict('MEMBER_CANNOT_REPLY', `${person.name} may not answer chats here.`);
  return { _id: person._id.toHexString(), name: person.name };
}

async function giveTo({ chat, site }: ChatOfSite, claimer: Claimer): Promise<ChatDoc | null> {
  if (chat.claimedBy?.toHexString() === claimer._id) return null;
  const given = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, open: true, claimedBy: chat.claimedBy },
    {
      $set: { claimedBy: claimer._id, status: 'active', updatedAt: new Date() },
      ...TAKEN_UP,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (given) {
    afterwards(chat._id.toHexString(), async () => {
      await bus.tell('chatClaimed', { chat: given, site, claimer, byHand: true });
      await bus.tell('chatChanged', { chat: given, site });
    });
  }
  return given;
}
