import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { QueryFilter, Types, UpdateQuery } from 'mongoose';
import { batched } from '../batcher.ts';
import { events } from '../events.ts';
import { mapPerServer } from '../scope.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ChatOfSite } from './guards.ts';
import { enqueue, enqueueDelayed, enqueueUnawaited, startDelayed } from './keyedQueue.ts';
import { newestMessage, writeDurably } from './messages.ts';
import {
  type ChatDoc,
  ChatModel,
  CLEAR_ASSIGNMENT,
  chatCache,
  type MessageDoc,
  MessageModel,
  SET_UPDATED_AT,
} from './model.ts';

const PREVIEW_LENGTH = 200;
/** Number of tries to write a row when other changes of the chat come between. */
const TRIES_MAX = 3;
/**
 * While a visitor keeps writing, the chat's row is written and announced once in this time with everything that arrived
 * (throttle).
 */
const ROW_EVERY_MS = 250;
/** Delay of the batched row writes under load: by then the message has been shown and its sender acknowledged. */
const ROWS_EVERY_MS = 10;

const WRITTEN_MAX = 20_000;
/** Delays before each retry of a failed row write, in milliseconds; after the last one the reconciler repairs it. */
const RETRY_AFTER_MS = [100, 500, 2_000, 5_000];
/** Number of messages per step of a catch-up. */
const CATCH_UP_MAX = 200;

/** Stored messages that are not yet in their chat's row. */
const pendingMessages = mapPerServer<string, MessageDoc[]>();
/** Time of the last row write of each chat, by `performance.now`; an evicted chat is only written sooner. */
const writtenAt = mapPerServer<string, number>();
/** Number of messages whose follow-up work this process finished, by the second of their ids. */
const projected = mapPerServer<number, number>();

/**
 * Starts the work after a stored message: those who watch see it at once; then the chat's row includes it, and all
 * other listeners get their events. A chat's first message is shown together with the chat. A failure never reaches the
 * sender.
 * @param socketId the socket that sent it
 */
export function followUp({ chat, site }: ChatOfSite, message: MessageDoc, socketId?: string): void {
  const chatId = message.chat.toHexString();
  const shown = `${chatId}:shown`;
  if (message.seq === 1) {
    const opened = enqueue(chatId, () => project(site, [message], socketId)).catch((error) =>
      events.fail(error, 'a new chat'),
    );
    enqueueUnawaited(shown, () => opened);
    return;
  }
  addToRow(chatId, site, message);
  enqueueUnawaited(shown, async () => {
    // Lets the acknowledgement leave first.
    await nextTurn();
    await events.emit('messageStored', { chat, site, message, socketId });
  });
}

/**
 * Queues a message for the chat's row: written at once after a quiet period (leading edge) or for an agent's answer,
 * otherwise together with others (throttle).
 */
function addToRow(chatId: string, site: SiteDoc, message: MessageDoc): void {
  const waiting = pendingMessages.get(chatId);
  const waitMs = (writtenAt.get(chatId) ?? Number.NEGATIVE_INFINITY) + ROW_EVERY_MS - performance.now();
  if (waiting) waiting.push(message);
  else {
    pendingMessages.set(chatId, [message]);
    enqueueDelayed(chatId, waitMs, () => {
      const messages = pendingMessages.get(chatId) ?? [];
      pendingMessages.delete(chatId);
      if (writtenAt.size >= WRITTEN_MAX) writtenAt.clear();
      writtenAt.set(chatId, performance.now());
      return project(site, messages);
    });
  }
  if (waitMs <= 0 || message.sender !== 'visitor') startDelayed(chatId);
}

async function project(site: SiteDoc, messages: MessageDoc[], socketId?: string): Promise<void> {
  const chat = await withRetries(() => writeInto(messages));
  for (const { _id } of messages) {
    const second = _id.getTimestamp().getTime() / 1000;
    projected.set(second, (projected.get(second) ?? 0) + 1);
  }
  if (!chat) return;
  const [first] = messages;
  if (first?.seq === 1) {
    await events.emit('chatOpened', { chat, site });
    await events.emit('messageStored', { chat, site, message: first, socketId });
  }
  for (const message of messages) await events.emit('messageAdded', { chat, site, message });
  if (messages.some(({ sender }) => sender === 'agent'))
    await events.emit('receiptsMoved', { chat, party: 'staff', receipt: chat.receipts.staff });
  await events.emit('chatChanged', { chat, site });
}

/**
 * Does the follow-up work for stored messages that are missing in a chat's row, as if they had just been stored: their
 * writer crashed, or never got the store's answer.
 * @param upTo the last `seq` to include: later messages may still be on their way to `followUp`, and would be announced twice
 */
export function catchUp({ chat: { _id }, site }: ChatOfSite, upTo: number): Promise<void> {
  return enqueue(_id.toHexString(), async () => {
    for (;;) {
      const chat = await ChatModel.findById(_id).lean<ChatDoc>();
      const missing = await MessageModel.find({ chat: _id, seq: { $gt: chat?.lastSeq ?? 0, $lte: upTo } })
        .sort({ seq: 1 })
        .limit(CATCH_UP_MAX)
        .lean<MessageDoc[]>();
      if (!chat || missing.length === 0) return;
      chatCache.forget(_id.toHexString());
      await project(site, missing);
      for (const message of missing)
        if (message.seq > 1) await events.emit('messageStored', { chat, site, message, socketId: undefined });
    }
  });
}

/** Counts the finished messages made after one second and up to another, and forgets earlier ones. */
export function projectedSince(after: number, until: number): number {
  let count = 0;
  for (const second of projected.keys()) {
    if (second <= after) projected.delete(second);
    else if (second <= until) count += projected.get(second) ?? 0;
  }
  return count;
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      events.fail(error, 'the row of a chat');
      await sleep(wait);
    }
  }
  return work();
}

/**
 * Writes messages, in the order of `seq`, into their chat's row. If an earlier one is missing (another writer has not
 * finished, or a crash lost it), the row is rebuilt from the messages instead.
 * @returns the chat as it is now; null: it was deleted meanwhile
 */
async function writeInto(messages: MessageDoc[]): Promise<ChatDoc | null> {
  const [{ chat: id }] = messages as [MessageDoc];
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await chatCache.find(id.toHexString());
    const missing = messages.filter(({ seq }) => seq > (before?.lastSeq ?? 0));
    if (!before || missing.some(({ seq }, at) => seq !== before.lastSeq + 1 + at)) break;
    if (missing.length === 0) return before;
    const after = missing.reduce(withMessage, { ...before, rev: before.rev + 1 });
    const now = await writeRow({ before, after });
    if (now) return now;
  }
  const answer = messages.findLast(({ sender }) => sender === 'agent');
  if (answer) await ChatModel.updateOne({ _id: id }, answered(answer));
  return rebuild(id);
}

/** A chat's row as it was read, and the row to write. */
interface RowChange {
  before: ChatDoc;
  after: ChatDoc;
}

/** Fields that each message changes, and those that an answer or a close removes. */
const SET = ['lastSeq', 'lastMessage', 'lastActivity', 'unread', 'rev'] as const;
const CLEARED = ['waitingSince', 'assignedAt', 'assignedUntil', 'handedBy', 'passedBy'] as const;

/**
 * Writes the rows of chats (at most one for each chat) with optimistic locking: only where nothing has changed them
 * meanwhile.
 * @returns the chat as written; null: it changed since it was read
 */
const writeRow = batched(async (steps: RowChange[]) => {
  let areWritten = false;
  try {
    const { n } = await writeDurably({ update: ChatModel.collection.name, updates: steps.map(updateOf) });
    areWritten = n === steps.length;
  } finally {
    // Without an answer from the store, the write may have happened or not: the cache entry is dropped.
    for (const { before, after } of steps) chatCache.replace(before, areWritten ? after : null);
  }
  if (areWritten) return ({ after }) => after;
  const ids = steps.map(({ before }) => before._id);
  const chats = await ChatModel.collection.find<ChatDoc>({ _id: { $in: ids } }).toArray();
  const found = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return ({ after }) => {
    const chat = found.get(after._id.toHexString());
    return chat?.lastSeq === after.lastSeq ? chat : null;
  };
}, ROWS_EVERY_MS);

/** Optimistic lock: every change by a member raises `rev`, so a row made from an older one is not written. */
function updateOf({ before, after }: RowChange): { q: QueryFilter<ChatDoc>; u: UpdateQuery<ChatDoc> } {
  const { _id, rev, lastSeq } = before;
  const { waitingSince, receipts } = after;
  const gone = CLEARED.filter((name) => before[name] !== undefined && after[name] === undefined);
  return {
    q: { _id, rev, lastSeq },
    u: {
      $set: {
        ...Object.fromEntries(SET.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]])),
        ...(waitingSince && waitingSince !== before.waitingSince && { waitingSince }),
        ...(receipts.staff !== before.receipts.staff && { 'receipts.staff': receipts.staff }),
      },
      ...SET_UPDATED_AT,
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, 1])) }),
    },
  };
}

/** @returns the chat with one more message in its row */
function withMessage(chat: ChatDoc, message: MessageDoc): ChatDoc {
  const { waitingSince, ...after } = { ...chat, ...newestFields(message) };
  switch (message.sender) {
    case 'visitor':
      return { ...after, unread: chat.unread + 1, waitingSince: waitingSince ?? message.createdAt };
    case 'agent': {
      const { assignedAt, assignedUntil, handedBy, passedBy, ...taken } = after;
      const staff = { delivered: message.seq, read: message.seq };
      return { ...taken, unread: 0, receipts: { ...chat.receipts, staff } };
    }
    case 'system':
      return after;
  }
}

/** An answer means that the agent has read everything above it and has taken the chat up; no answer is due any more. */
function answered({ seq }: MessageDoc) {
  return {
    $max: { 'receipts.staff.delivered': seq, 'receipts.staff.read': seq },
    $unset: { ...CLEAR_ASSIGNMENT.$unset, waitingSince: 1 },
  };
}

/** Rebuilds the row from the messages. */
export async function rebuild(chatId: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const isAnswer = newest.sender === 'agent';
  const unread = isAnswer ? 0 : await countUnread(chatId, chat.receipts.staff.read, newest.seq);
  const waitingSince = newest.sender === 'visitor' ? await firstUnanswered(chatId) : undefined;
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq } },
    {
      ...(waitingSince ? {} : { $unset: { waitingSince: 1 } }),
      ...(isAnswer ? answered(newest) : {}),
      $set: { ...newestFields(newest), unread, ...(waitingSince && { waitingSince }) },
      ...SET_UPDATED_AT,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  return rebuilt ?? ChatModel.findById(chatId).lean<ChatDoc>();
}

/** @returns the time of the visitor's first message since the last answer */
async function firstUnanswered(chat: Types.ObjectId): Promise<Date | undefined> {
  const answer = await MessageModel.findOne({ chat, sender: 'agent' }).sort({ seq: -1 }).lean<MessageDoc>();
  const after = { chat, seq: { $gt: answer?.seq ?? 0 }, sender: 'visitor' as const };
  const first = await MessageModel.findOne(after).sort({ seq: 1 }).lean<MessageDoc>();
  return first?.createdAt;
}

/** Counts visitor messages after the last one that staff read, up to the last one included in the row. */
export function countUnread(chat: Types.ObjectId, readSeq: number, lastSeq: number): Promise<number> {
  return MessageModel.countDocuments({ chat, seq: { $gt: readSeq, $lte: lastSeq }, sender: 'visitor' });
}

function newestFields({ seq, content, createdAt }: MessageDoc) {
  return {
    lastSeq: seq,
    lastMessage: content.slice(0, PREVIEW_LENGTH),
    lastActivity: createdAt,
  };
}
