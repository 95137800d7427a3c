import { type Caller, peopleById } from '#features/auth';
import { events } from '#platform/events';
import { type AppError, conflict, notFound, sentence } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import { handedOver } from '../assisted/handOver.ts';
import type { Claimer } from '../contract.ts';
import type { ChatOfSite } from '../guards.ts';
import { type ChatDoc, ChatModel, CLEAR_ASSIGNMENT, SET_UPDATED_AT } from '../model.ts';
import { outboxUpdate } from '../outboxEvents.ts';

/**
 * Makes the caller the claimer. Claiming one's own chat again is idempotent; it only turns an assignment by the server
 * into a claim by hand.
 * @throws AppError 409 `CHAT_ALREADY_CLAIMED` naming the winner, `CHAT_CLOSED`
 */
export async function claimChat(of: ChatOfSite, { user }: Caller): Promise<ChatDoc> {
  const claimed = await tryClaim(of, user);
  if (claimed) return claimed;
  const now = await ChatModel.findById(of.chat._id).lean<ChatDoc>();
  if (now?.claimedBy?.equals(user._id) && now.status !== 'closed')
    return (await confirmAssignment({ ...of, chat: now })) ?? now;
  throw await claimRefusal(now);
}

/** @returns the error that explains why the claimer of this chat cannot be changed, from its current state */
export async function claimRefusal(now: ChatDoc | null): Promise<AppError> {
  if (!now) return notFound('chat');
  if (now.status === 'closed') return chatClosed();
  const winner = now.claimedBy && (await peopleById([now.claimedBy])).get(now.claimedBy.toHexString());
  const text = winner
    ? sentence('This chat was already claimed by {name}.', { name: winner.name })
    : sentence('This chat was already claimed by a colleague.');
  return conflict('CHAT_ALREADY_CLAIMED', text);
}

/** Makes a user the claimer. @returns null: the chat has one, or is closed */
export async function tryClaim({ chat, site }: ChatOfSite, user: Caller['user']): Promise<ChatDoc | null> {
  await handedOver({ chat, site }, 'agent');
  const { fields, ...outbox } = outboxUpdate({ chat, site }, 'chat.claimed', { by: user._id, how: 'claimed' });
  const claimed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, claimedBy: null, status: { $ne: 'closed' } },
    {
      $set: { claimedBy: user._id, status: 'active', ...fields },
      ...outbox,
      ...SET_UPDATED_AT,
      ...CLEAR_ASSIGNMENT,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (claimed) {
    const claimer: Claimer = { _id: user._id.toHexString(), name: user.name };
    enqueueUnawaited(chat._id.toHexString(), async () => {
      await events.emit('chatClaimed', { chat: claimed, site, claimer, byHand: true });
      await events.emit('chatChanged', { chat: claimed, site });
    });
  }
  return claimed;
}

/** Turns the server's assignment into a claim by hand. @returns null when it already is one */
async function confirmAssignment({ chat, site }: ChatOfSite): Promise<ChatDoc | null> {
  const taken = await ChatModel.findOneAndUpdate(
    { _id: chat._id, claimedBy: chat.claimedBy, assignedAt: { $exists: true } },
    { ...SET_UPDATED_AT, ...CLEAR_ASSIGNMENT, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (taken) {
    enqueueUnawaited(chat._id.toHexString(), async () => {
      await events.emit('chatTakenUp', { chat: taken, site });
      await events.emit('chatChanged', { chat: taken, site });
    });
  }
  return taken;
}

/** 409: the chat is closed. */
export function chatClosed() {
  return conflict('CHAT_CLOSED', sentence('This chat is closed.'));
}
