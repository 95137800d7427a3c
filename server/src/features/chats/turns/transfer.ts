import { type QueryFilter, Types } from 'mongoose';
import { peopleById } from '#features/auth';
import { memberOf, type SiteDoc, sitesOfUser } from '#features/sites';
import { can } from '#features/team/contract';
import { events } from '#platform/events';
import { conflict, notFound, sentence } from '#platform/http';
import { withRetries } from '#platform/time';
import { enqueueUnawaited } from '#platform/work';
import { handedOver } from '../assisted/handOver.ts';
import type { Claimer } from '../contract.ts';
import { type ChatOfSite, type Doer, doerName } from '../guards.ts';
import { type ChatDoc, ChatModel, CLEAR_ASSIGNMENT, SET_UPDATED_AT } from '../model.ts';
import { addNote } from '../notes/notes.ts';
import { outboxUpdate } from '../outboxEvents.ts';
import { claimRefusal } from './claim.ts';

/**
 * Gives an open chat to a colleague, or back to the queue. Of two concurrent transfers one wins; a transfer to the
 * current claimer changes nothing.
 * @param by the member who transfers; recorded in the thread as a note
 * @param userId the colleague's id; null: the queue
 * @throws AppError 404 for a user who is not a member, 409 for one who may not answer, `CHAT_CLOSED`,
 *   `CHAT_ALREADY_CLAIMED` when the claimer changed meanwhile
 */
export async function transferChat(of: ChatOfSite, by: Doer, userId: string | null): Promise<ChatDoc> {
  const to = userId === null ? null : await colleague(of, userId);
  const moved = to ? await giveTo(of, by, to) : await handBack(of, {}, by.user._id);
  if (moved) {
    await noteTransfer({ ...of, chat: moved }, by, to);
    return moved;
  }
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
  if (!can(member, 'chats.reply'))
    throw conflict(
      'MEMBER_CANNOT_REPLY',
      sentence('{name} cannot answer chats of this website.', { name: person.name }),
    );
  return { _id: person._id.toHexString(), name: person.name };
}

async function giveTo({ chat, site }: ChatOfSite, { user }: Doer, claimer: Claimer): Promise<ChatDoc | null> {
  if (chat.claimedBy?.toHexString() === claimer._id) return null;
  await handedOver({ chat, site }, 'agent');
  const isOwn = user._id.equals(claimer._id);
  const { handedBy, ...taken } = CLEAR_ASSIGNMENT.$unset;
  const facts = { by: new Types.ObjectId(claimer._id), from: chat.claimedBy, how: 'transferred' as const };
  const { fields, ...outbox } = outboxUpdate({ chat, site }, 'chat.claimed', facts);
  const given = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, open: true, claimedBy: chat.claimedBy },
    {
      $set: {
        claimedBy: claimer._id,
        status: 'active',
        ...(isOwn ? {} : { handedBy: user.name, unnotified: new Types.ObjectId() }),
        ...fields,
      },
      ...outbox,
      ...SET_UPDATED_AT,
      $unset: { ...taken, ...(isOwn && { handedBy }) },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (given) {
    enqueueUnawaited(chat._id.toHexString(), async () => {
      await events.emit('chatClaimed', { chat: given, site, claimer, byHand: true });
      await events.emit('chatChanged', { chat: given, site });
    });
  }
  return given;
}

/** Records a transfer in the thread. It is a note, because the visitor must see neither it nor a gap in `seq`. */
async function noteTransfer(of: ChatOfSite, by: Doer, to: Claimer | null): Promise<void> {
  const { user } = by;
  const whom = !to ? 'gave this chat back to the queue' : `handed this chat to ${to.name}`;
  const isTaken = to?._id === user._id.toHexString();
  const content = isTaken ? `${user.name} took this chat over` : `${doerName(by)} ${whom}`;
  const receiver = to && { user: new Types.ObjectId(to._id), name: to.name };
  await addNote(of, by, { content }, { event: 'transferred', to: receiver });
  const event = { ...of, by: { _id: user._id.toHexString(), name: user.name }, to };
  enqueueUnawaited(of.chat._id.toHexString(), () => events.emit('chatTransferred', event));
}

/** Records that the claimer has opened a chat handed over by a colleague, so that it is no longer marked as new. */
export async function markOpened({ chat, site }: ChatOfSite, userId: string): Promise<void> {
  if (chat.handedBy === undefined || chat.claimedBy?.toHexString() !== userId) return;
  const opened = await ChatModel.findOneAndUpdate(
    { _id: chat._id, claimedBy: chat.claimedBy, handedBy: { $exists: true } },
    { ...SET_UPDATED_AT, $unset: { handedBy: 1 }, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (opened) enqueueUnawaited(chat._id.toHexString(), () => events.emit('chatChanged', { chat: opened, site }));
}

/**
 * Gives a chat back to the queue: it waits again without claimer, and is not offered to the former one.
 * @param only further conditions that must still hold
 * @param by the member who does it; left out: the server
 * @returns null when it had no claimer, or is closed
 */
export async function handBack(
  { chat, site }: ChatOfSite,
  only: QueryFilter<ChatDoc> = {},
  by?: Types.ObjectId,
): Promise<ChatDoc | null> {
  const { fields, ...outbox } = outboxUpdate({ chat, site }, 'chat.handed_back', {
    by: by ?? null,
    from: chat.claimedBy,
  });
  const waiting = await ChatModel.findOneAndUpdate(
    { ...only, _id: chat._id, open: true, claimedBy: chat.claimedBy, status: 'active' },
    {
      $set: {
        claimedBy: null,
        status: 'waiting',
        unnotified: new Types.ObjectId(),
        // Whom the server had chosen had not reacted: the chat has waited all the time.
        ...(chat.department && !chat.assignedAt && { queuedAt: new Date() }),
        ...fields,
      },
      ...outbox,
      ...SET_UPDATED_AT,
      $unset: { assignedAt: 1, assignedUntil: 1, handedBy: 1 },
      $addToSet: { passedBy: chat.claimedBy },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (waiting) {
    enqueueUnawaited(chat._id.toHexString(), async () => {
      await events.emit('chatHandedBack', { chat: waiting, site });
      await events.emit('chatChanged', { chat: waiting, site });
    });
  }
  return waiting;
}

/**
 * Releases the chats of members who leave a team, are suspended, or lose the right to answer, so that no visitor waits
 * in vain.
 * @returns a disposer
 */
export function releaseChatsOfLeavers(): () => void {
  return events.stopAll([
    events.on('accountSuspended', async ({ userId }) => {
      for (const site of await sitesOfUser(userId)) await releaseChats(site, userId);
    }),
    events.on('memberRemoved', ({ site, userId }) => releaseChats(site, userId)),
    events.on('memberChanged', async ({ site, userId }) => {
      const entry = site.team.find(({ user }) => user.toHexString() === userId);
      const member = entry && memberOf(site, entry.user);
      if (member && !can(member, 'chats.reply')) await releaseChats(site, userId);
    }),
  ]);
}

/** Gives every open chat of this member on a site back to the queue. */
export async function releaseChats(site: SiteDoc, claimedBy: string | Types.ObjectId): Promise<void> {
  const chats = await ChatModel.find({ site: site._id, claimedBy, open: true }).lean<ChatDoc[]>();
  for (const chat of chats)
    await withRetries(() => handBack({ chat, site }), { failed: (error) => events.fail(error, 'hand-back') });
}
