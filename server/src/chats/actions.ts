import { randomUUID } from 'node:crypto';
import { UserModel } from '../auth/model.ts';
import type { Caller } from '../auth/sessions.ts';
import { peopleById } from '../auth/view.ts';
import { bus } from '../bus.ts';
import type { Kept } from '../files/keep.ts';
import { type AppError, conflict, notFound } from '../http/errors.ts';
import type { SiteDoc } from '../sites/model.ts';
import { type Appended, append, type Draft, findSent, newestMessage } from './append.ts';
import type { Claimer } from './contract.ts';
import { type ChatDoc, ChatModel, TAKEN_UP, TOUCHED } from './model.ts';
import { follow } from './projection.ts';
import { afterwards } from './queue.ts';

/** A chat with the site it belongs to. */
export interface ChatOfSite {
  chat: ChatDoc;
  site: SiteDoc;
}

/** Text, or a file under its name, with the sender's own id for it. */
export interface Words {
  clientId?: string;
  content: string;
  /** Kept already; its id becomes the message's. */
  kept?: Kept;
}

/** The same, with an id for certain. */
export type Named = Words & { clientId: string };

/**
 * An agent's answer. The first one claims an unclaimed chat; a colleague's joins and does not steal.
 * Resolves when the message is durable; the row and the announcements follow.
 * @throws AppError 409 `CHAT_CLOSED`, `ID_CONFLICT`
 */
export async function answerChat({ chat, site }: ChatOfSite, { user }: Caller, words: Words): Promise<Appended> {
  const senderKey = `u:${user._id}`;
  if (chat.claimedBy === null && chat.status !== 'closed') {
    // A retry of what was stored long ago claims nothing: the chat may have been handed back since.
    const { clientId, kept } = words;
    const earlier = clientId === undefined ? null : await findSent(senderKey, { ...words, clientId, file: kept?.file });
    if (earlier) return earlier;
    await tryClaim({ chat, site }, user);
  }
  const author = { sender: 'agent' as const, author: user._id, authorName: user.name };
  const appended = await post({ chat, site }, { ...draftOf(chat, words), senderKey, ...author });
  if (!appended) throw chatClosed();
  return appended;
}

/**
 * Stores a visitor's message; null: the chat was closed before it, and a new one is to begin.
 * @param socketId the socket that sent it, which needs no echo of what it is answered with
 */
export function postFromVisitor({ chat, site }: ChatOfSite, words: Words, socketId?: string): Promise<Appended | null> {
  const author = { sender: 'visitor' as const, author: null, authorName: chat.visitorInfo.name };
  return post({ chat, site }, { ...draftOf(chat, words), senderKey: `v:${chat.visitor}`, ...author }, socketId);
}

function draftOf(chat: ChatDoc, { clientId, content, kept }: Words) {
  const named = { clientId: (clientId ?? randomUUID()).toLowerCase(), content };
  return { chat: chat._id, site: chat.site, event: null, createdAt: new Date(), ...named, ...kept };
}

async function post({ chat, site }: ChatOfSite, draft: Draft, socketId?: string): Promise<Appended | null> {
  const appended = await append(draft);
  if (appended?.isNew) follow({ chat, site }, appended.message, socketId);
  else if (!appended) await finishClose(chat, site, (await newestMessage(chat._id))?.author ?? null);
  return appended;
}

/**
 * Makes the caller the one who answers. Claiming one's own chat again changes nothing, but that it is no longer merely
 * assigned.
 * @throws AppError 409 `CHAT_ALREADY_CLAIMED` naming the winner, `CHAT_CLOSED`
 */
export async function claimChat(of: ChatOfSite, { user }: Caller): Promise<ChatDoc> {
  const claimed = await tryClaim(of, user);
  if (claimed) return claimed;
  const now = await ChatModel.findById(of.chat._id).lean<ChatDoc>();
  if (now?.claimedBy?.equals(user._id) && now.status !== 'closed') return (await takeUp({ ...of, chat: now })) ?? now;
  throw await claimRefusal(now);
}

/** Why the claimer of a chat cannot be changed, by the chat as it is now. */
export async function claimRefusal(now: ChatDoc | null): Promise<AppError> {
  if (!now) return notFound('chat');
  if (now.status === 'closed') return chatClosed();
  const winner = now.claimedBy && (await peopleById([now.claimedBy])).get(now.claimedBy.toHexString());
  return conflict('CHAT_ALREADY_CLAIMED', `This chat was already claimed by ${winner?.name ?? 'a colleague'}.`);
}

async function tryClaim({ chat, site }: ChatOfSite, user: Caller['user']): Promise<ChatDoc | null> {
  const claimed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, claimedBy: null, status: { $ne: 'closed' } },
    { $set: { claimedBy: user._id, status: 'active' }, ...TOUCHED, ...TAKEN_UP, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (claimed) {
    const claimer: Claimer = { _id: user._id.toHexString(), name: user.name };
    afterwards(chat._id.toHexString(), async () => {
      await bus.tell('chatClaimed', { chat: claimed, site, claimer, byHand: true });
      await bus.tell('chatChanged', { chat: claimed, site });
    });
  }
  return claimed;
}

/** The claimer whom the server chose makes the chat his own; null: it was so already. */
async function takeUp({ chat, site }: ChatOfSite): Promise<ChatDoc | null> {
  const taken = await ChatModel.findOneAndUpdate(
    { _id: chat._id, claimedBy: chat.claimedBy, assignedAt: { $exists: true } },
    { ...TOUCHED, ...TAKEN_UP, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (taken) {
    afterwards(chat._id.toHexString(), async () => {
      await bus.tell('chatTakenUp', { chat: taken, site });
      await bus.tell('chatChanged', { chat: taken, site });
    });
  }
  return taken;
}

/** Who closes a chat: a member, its visitor (without id), or nobody: its time was over. */
export type Closer = Pick<Draft, 'author' | 'authorName'>;

/** Time itself as the one who closes. */
export const NOBODY: Closer = { author: null, authorName: null };

/** A member as the one who closes. */
export function closerOf({ user }: Caller): Closer {
  return { author: user._id, authorName: user.name };
}

/**
 * Closes a chat: first a system message at its end, which no later message can pass, then the status. Closing a closed
 * chat changes nothing. Of a chat that never had a message nobody has heard, and nobody hears of its end.
 */
export async function closeChat({ chat, site }: ChatOfSite, closer: Closer): Promise<ChatDoc> {
  const appended = await append({
    ...draftOf(chat, { clientId: 'closed', content: 'Chat closed' }),
    senderKey: `s:${chat._id}`,
    sender: 'system',
    event: 'closed',
    ...closer,
  });
  const isEmpty = appended?.message.seq === 1;
  if (appended?.isNew && !isEmpty) follow({ chat, site }, appended.message);
  return (await finishClose(chat, site, appended ? appended.message.author : closer.author, isEmpty)) ?? chat;
}

/** Brings the status after the closing message, by whoever meets that message first after a crash, too. */
async function finishClose(
  chat: ChatDoc,
  site: SiteDoc,
  closedBy: ChatDoc['closedBy'],
  isEmpty = false,
): Promise<ChatDoc | null> {
  const closed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, status: { $ne: 'closed' } },
    {
      $set: { status: 'closed', closedAt: new Date(), closedBy },
      ...TOUCHED,
      $unset: { open: 1, assignedUntil: 1 },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!closed) return ChatModel.findById(chat._id).lean<ChatDoc>();
  if (isEmpty) return closed;
  const closer = closedBy && (await UserModel.findById(closedBy, { name: 1 }).lean());
  afterwards(chat._id.toHexString(), async () => {
    const fact = { chat: closed, site };
    await bus.tell('chatClosed', { ...fact, closer: closer ? { _id: String(closer._id), name: closer.name } : null });
    await bus.tell('chatChanged', fact);
  });
  return closed;
}

function chatClosed() {
  return conflict('CHAT_CLOSED', 'This chat is closed.');
}
