import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { type Caller, peopleById, UserModel } from '#features/auth';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { conflict, duplicateKey, notFound, sentence } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import type { Claimer, SystemEvent } from '../contract.ts';
import type { ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { append, type Draft } from '../messages/messages.ts';
import { type ChatDoc, ChatModel, CLEAR_ASSIGNMENT, SET_UPDATED_AT } from '../model.ts';
import { outboxUpdate } from '../outboxEvents.ts';
import { followUp } from '../row/projection.ts';
import { newestMessage } from '../row/row.ts';
import { TURNS_MAX, turnsOf } from './turns.ts';

/** Who closes a chat: a member, its visitor (without id), or `CLOSED_BY_SERVER` when it was idle too long. */
export type Closer = Pick<Draft, 'author' | 'authorName'>;

/** The closer of chats that the server closes because of their age. */
export const CLOSED_BY_SERVER: Closer = { author: null, authorName: null };

/** @returns the member as the closer of a chat */
export function closerOf({ user }: Caller): Closer {
  return { author: user._id, authorName: user.name };
}

/** Where a chat is closed while the assistant has it, it does not have it any more. */
const ASSISTANCE = { assisted: 1, 'assistant.run': 1, 'assistant.since': 1, 'assistant.upTo': 1 } as const;

/** The message that closed a chat, or opened it again. Its author and place in the chat decide the row's state. */
type Turn = Pick<MessageDoc, 'seq' | 'author'>;

function turnDraft({ _id, site }: ChatDoc, event: SystemEvent, content: string, by: Closer): Draft {
  const message = { clientId: randomUUID(), senderKey: `s:${_id}`, sender: 'system' as const, createdAt: new Date() };
  return { ...message, chat: _id, site, event, content, ...by };
}

/** A process that was stopped between a message and the row must not undo a later close or reopening. */
const isBefore = (seq: number) => ({ $or: [{ turnSeq: { $exists: false } }, { turnSeq: { $lt: seq } }] });

/**
 * Closes a chat: first appends a system message, which no later message can pass, then sets the status. Idempotent. A
 * chat that never had a message was never shown, so its close is not announced.
 */
export async function closeChat({ chat, site }: ChatOfSite, closer: Closer): Promise<ChatDoc> {
  const appended = await append(turnDraft(chat, 'closed', 'Chat closed', closer));
  if (appended?.isNew && appended.message.seq > 1) followUp({ chat, site }, appended.message);
  return (await finishTurn({ chat, site }, appended?.message)) ?? chat;
}

/**
 * Opens a closed chat again, for as long as its visitor has begun no newer one: first appends a system message, then sets
 * the status; the member is the claimer. Repeated by the same member, it changes nothing. The unique index of open chats
 * decides between a reopening and a visitor who begins a new chat at the same moment.
 * @throws AppError 409 `NEWER_CHAT`, `CHAT_NOT_CLOSED`, 404 when the chat was deleted meanwhile
 */
export async function reopenChat({ chat, site }: ChatOfSite, caller: Caller): Promise<ChatDoc> {
  if (await hasNewer(chat)) throw newerChat();
  const appended = await append(turnDraft(chat, 'reopened', 'Chat reopened', closerOf(caller)));
  if (appended?.isNew) followUp({ chat, site }, appended.message);
  const now = await finishTurn({ chat, site }, appended?.message);
  if (!now) {
    if (appended) await removeOne(MessageModel, { _id: appended.message._id });
    throw notFound('chat');
  }
  if (appended && now.status === 'closed' && (await hasNewer(chat))) throw newerChat();
  const wasReopened = now.status !== 'closed' && now.turnSeq !== undefined;
  if (appended || (wasReopened && now.claimedBy?.equals(caller.user._id))) return now;
  const claimer = now.claimedBy && (await peopleById([now.claimedBy])).get(now.claimedBy.toHexString());
  throw conflict(
    'CHAT_NOT_CLOSED',
    claimer && wasReopened
      ? sentence('{name} already reopened this chat.', { name: claimer.name })
      : sentence('This chat is not closed.'),
  );
}

/** Whether the visitor has begun a chat after this one. */
async function hasNewer({ _id, visitor }: ChatDoc): Promise<boolean> {
  return (await ChatModel.exists({ visitor, _id: { $gt: _id } })) !== null;
}

function newerChat() {
  return conflict('NEWER_CHAT', sentence('This visitor has begun a newer chat. Continue there.'));
}

/**
 * Sets the row's status to what the chat's newest close or reopening says. Idempotent: after a crash, the first process
 * that finds the message completes the work.
 * @param turn that message, where the caller has just stored it; left out: the newest message shows it
 * @returns the row; null: the chat was deleted
 */
export async function finishTurn(
  of: ChatOfSite,
  turn?: Pick<MessageDoc, 'seq' | 'author' | 'event'>,
): Promise<ChatDoc | null> {
  const newest = turn ?? (await newestMessage(of.chat._id));
  if (newest?.event === 'closed') return finishClose(of, newest);
  const opened = newest?.event === 'reopened' ? newest : await lastReopening(of.chat._id);
  if (opened) return finishReopening(of, opened);
  return ChatModel.findById(of.chat._id).lean<ChatDoc>();
}

function lastReopening(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat, event: 'reopened' }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}

async function finishClose({ chat, site }: ChatOfSite, { seq, author }: Turn): Promise<ChatDoc | null> {
  const closed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, status: { $ne: 'closed' }, ...isBefore(seq) },
    {
      $set: {
        status: 'closed',
        closedAt: new Date(),
        closedBy: author,
        turnSeq: seq,
        // Of a chat without messages nothing is counted.
        ...(seq > 1 && { uncounted: new Types.ObjectId() }),
      },
      ...SET_UPDATED_AT,
      $unset: { open: 1, assignedUntil: 1, snoozedUntil: 1, ...(chat.assisted && ASSISTANCE) },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!closed) return ChatModel.findById(chat._id).lean<ChatDoc>();
  if (seq === 1) return closed;
  const closer = await personOf(author);
  enqueueUnawaited(chat._id.toHexString(), async () => {
    await events.emit('chatClosed', { chat: closed, site, closer });
    await events.emit('chatChanged', { chat: closed, site });
  });
  return closed;
}

async function finishReopening({ chat, site }: ChatOfSite, turn: Turn): Promise<ChatDoc | null> {
  const opened = await setOpen({ chat, site }, turn);
  if (opened === 'taken') return closeChat({ chat, site }, CLOSED_BY_SERVER);
  if (!opened) return ChatModel.findById(chat._id).lean<ChatDoc>();
  // No newer chat can begin from here on, but one may have begun, and ended, before.
  if (await hasNewer(chat)) return closeChat({ chat, site }, CLOSED_BY_SERVER);
  const by = await personOf(turn.author);
  enqueueUnawaited(chat._id.toHexString(), async () => {
    if (by) {
      await events.emit('chatClaimed', { chat: opened, site, claimer: by, byHand: true });
      await events.emit('chatReopened', { chat: opened, site, by });
    }
    await events.emit('chatChanged', { chat: opened, site });
  });
  return opened;
}

/** @returns the open row; null: nothing to change; `taken`: the visitor has another open chat */
async function setOpen({ chat, site }: ChatOfSite, { seq, author }: Turn): Promise<ChatDoc | 'taken' | null> {
  const { fields, $push } = outboxUpdate({ chat, site }, 'chat.claimed', { by: author, how: 'reopened' });
  const closedBefore = { _id: chat._id, status: 'closed' as const, ...isBefore(seq) };
  try {
    for (;;) {
      const closed = await ChatModel.findOne(closedBefore).lean<ChatDoc>();
      if (!closed) return null;
      const opened = await ChatModel.findOneAndUpdate(
        // The turns before are stored as they were read: where a rating has come since, it is read again.
        { ...closedBefore, rev: closed.rev },
        {
          $set: {
            status: 'active',
            open: true,
            claimedBy: author,
            closedAt: null,
            closedBy: null,
            turnSeq: seq,
            reopenedAt: new Date(),
            reopenedSeq: seq,
            turns: turnsOf(closed).slice(0, TURNS_MAX),
            uncounted: new Types.ObjectId(),
            ...fields,
          },
          ...($push && { $push }),
          ...SET_UPDATED_AT,
          ...CLEAR_ASSIGNMENT,
          $inc: { rev: 1 },
        },
        { returnDocument: 'after' },
      ).lean<ChatDoc>();
      if (opened) return opened;
    }
  } catch (error) {
    if (duplicateKey(error)) return 'taken';
    throw error;
  }
}

async function personOf(id: Types.ObjectId | null): Promise<Claimer | null> {
  const person = id && (await UserModel.findById(id, { name: 1 }).lean());
  return person && { _id: String(person._id), name: person.name };
}
