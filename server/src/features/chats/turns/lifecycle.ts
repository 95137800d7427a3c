import { randomUUID } from 'node:crypto';
import type { Types } from 'mongoose';
import { type Caller, peopleById } from '#features/auth';
import { rememberedIds } from '#platform/cache';
import { events } from '#platform/events';
import type { StoredFile } from '#platform/files';
import { type AppError, conflict, duplicateKey, notFound, sentence } from '#platform/http';
import { enqueueUnawaited } from '#platform/work';
import type { Claimer } from '../contract.ts';
import type { ChatOfSite } from '../guards.ts';
import { storedText } from '../messages/cardNumbers.ts';
import { type Appended, append, type Draft, expectFirstMessage, findSent } from '../messages/messages.ts';
import {
  type AnsweredGreeting,
  type ChatDoc,
  ChatModel,
  CLEAR_ASSIGNMENT,
  chatCache,
  SET_UPDATED_AT,
} from '../model.ts';
import { outboxUpdate } from '../outboxEvents.ts';
import { catchUp, followUp } from '../row/projection.ts';
import { finishTurn } from './closing.ts';

/** A text, or a file by its name, with the id that the sender chose for it. */
export interface MessageInput {
  clientId?: string;
  content: string;
  /** The file, already stored; its id becomes the message's id. */
  stored?: StoredFile;
  /** The greeting that it answers. */
  greeting?: AnsweredGreeting;
}

/** `MessageInput` whose `clientId` is always set. */
export type MessageInputWithId = MessageInput & { clientId: string };

/**
 * Stores an agent's answer. The first answer claims an unclaimed chat; a colleague's answer leaves the claimer as it
 * is. Resolves when the message is durable; the row and the announcements follow.
 * @param socketId the socket that sent it, which gets no echo because the acknowledgement carries the message
 * @throws AppError 409 `CHAT_CLOSED`, `ID_CONFLICT`
 */
export async function answerChat(
  { chat, site }: ChatOfSite,
  { user }: Caller,
  input: MessageInput,
  socketId?: string,
): Promise<Appended> {
  const senderKey = `u:${user._id}`;
  if (chat.claimedBy === null && chat.status !== 'closed') {
    // A retry of a message stored long ago must not claim: the chat may have been handed back since.
    const { clientId, stored } = input;
    const earlier =
      clientId === undefined ? null : await findSent(senderKey, { ...input, clientId, file: stored?.file });
    if (earlier) return earlier;
    await tryClaim({ chat, site }, user);
  }
  const author = { sender: 'agent' as const, author: user._id, authorName: user.name };
  const appended = await post({ chat, site }, { ...draftOf({ chat, site }, input), senderKey, ...author }, socketId);
  if (!appended) throw chatClosed();
  return appended;
}

/**
 * Stores a visitor's message.
 * @param socketId as in `answerChat`
 * @returns null when the chat was already closed, and a new one has to begin
 */
export function postFromVisitor(
  { chat, site }: ChatOfSite,
  input: MessageInput,
  socketId?: string,
): Promise<Appended | null> {
  const author = { sender: 'visitor' as const, author: null, authorName: chat.visitorInfo.name };
  return post(
    { chat, site },
    { ...draftOf({ chat, site }, input), senderKey: `v:${chat.visitor}`, ...author },
    socketId,
  );
}

function draftOf({ chat, site }: ChatOfSite, { clientId, content, stored, greeting }: MessageInput) {
  const named = {
    clientId: (clientId ?? randomUUID()).toLowerCase(),
    content: stored ? content : storedText(site, content),
  };
  return {
    chat: chat._id,
    site: chat.site,
    event: null,
    createdAt: new Date(),
    ...named,
    ...stored,
    ...(greeting && { greeting }),
  };
}

async function post({ chat, site }: ChatOfSite, draft: Draft, socketId?: string): Promise<Appended | null> {
  const appended = await append(draft);
  if (appended?.isNew) followUp({ chat, site }, appended.message, socketId);
  else if (appended) await followUpRetry({ chat, site }, appended.message);
  // The chat is closed, or was reopened, by a process that could not finish it.
  if (!appended || (appended.isNew && chat.status === 'closed')) await finishTurn({ chat, site });
  return appended;
}

/** A retried message may have been stored by a try that crashed before the follow-up work; that work is done now. */
async function followUpRetry(of: ChatOfSite, { chat, seq }: Appended['message']): Promise<void> {
  const its = of.chat._id.equals(chat) ? await chatCache.find(chat.toHexString()) : null;
  if (its && its.lastSeq < seq) catchUp(of, seq).catch((error) => events.fail(error, 'work after a commit'));
}

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

async function tryClaim({ chat, site }: ChatOfSite, user: Caller['user']): Promise<ChatDoc | null> {
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

/** The fields that a new chat is created with. */
export type NewChat = Pick<ChatDoc, 'site' | 'visitor' | 'bot' | 'blocked' | 'visitorInfo'>;

/** Id of the open chat that each visitor had at the last look-up. */
const openChatIds = rememberedIds();

/** @returns the visitor's open chat; null: none */
export async function openChatOf(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  const key = visitor.toHexString();
  const last = openChatIds.get(key);
  const kept = last === undefined ? null : await chatCache.find(last);
  if (kept?.open) return kept;
  const keep = chatCache.reading(last === undefined ? undefined : [last]);
  const open = await ChatModel.findOne({ visitor, open: true }).lean<ChatDoc>();
  if (!open) return null;
  keep([open]);
  openChatIds.set(key, open._id.toHexString());
  return open;
}

/** Begins to read the chat that a visitor's message probably goes to; `openChatOf` then waits for the same read. */
export function readOpenChatAhead(visitorId: string): void {
  const last = openChatIds.get(visitorId);
  // A failure is thrown to the one who needs the chat.
  if (last !== undefined) chatCache.find(last).catch(() => {});
}

/**
 * Starts a chat, or returns the visitor's open one: two concurrent starts end up in the same chat.
 * @param claimedBy the first claimer; null: the chat waits
 */
export async function startChat(chat: NewChat, claimedBy: Types.ObjectId | null = null): Promise<ChatDoc> {
  const at = new Date();
  const status = claimedBy ? 'active' : 'waiting';
  const started = new ChatModel({
    ...chat,
    claimedBy,
    status,
    open: true,
    createdAt: at,
    lastActivity: at,
    updatedAt: at,
  });
  try {
    await started.save();
    expectFirstMessage(started._id);
    openChatIds.set(chat.visitor.toHexString(), started._id.toHexString());
    return started.toObject();
  } catch (error) {
    const open = duplicateKey(error) && (await openChatOf(chat.visitor));
    if (!open) throw error;
    return open;
  }
}
