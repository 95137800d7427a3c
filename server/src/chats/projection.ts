import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { QueryFilter, Types, UpdateQuery } from 'mongoose';
import { batched } from '../batcher.ts';
import { events } from '../events.ts';
import { mapPerServer } from '../scope.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ChatOfSite } from './guards.ts';
import { afterAWhile, afterwards, hurry, inOrder } from './keyedQueue.ts';
import { newestMessage, writeDurably } from './messages.ts';
import {
  type ChatDoc,
  ChatModel,
  CLEAR_ASSIGNMENT,
  chatCache,
  type MessageDoc,
  MessageModel,
  TOUCHED,
} from './model.ts';

const PREVIEW_LENGTH = 200;
/** So often is a row tried again that another change of the chat came before. */
const TRIES_MAX = 3;
/** While a visitor writes on, the chat's row is written and shown once in this time, with all that came in it. */
const ROW_EVERY_MS = 250;
/** Under load: the message has been seen by then, and its sender has been answered. */
const ROWS_EVERY_MS = 10;

const WRITTEN_MAX = 20_000;
/** A row that cannot be written is tried again after so many milliseconds each; then it is the reconciler's. */
const RETRY_AFTER_MS = [100, 500, 2_000, 5_000];
/** Messages that are caught up with at once. */
const CATCH_UP_MAX = 200;

/** The stored messages that a chat's row is still to get. */
const coming = mapPerServer<string, MessageDoc[]>();
/** When a chat's row was written last, by the clock of `performance.now`; one that was forgotten is written sooner. */
const writtenAt = mapPerServer<string, number>();
/** How many messages this process has followed to the end, by the second in which their ids were made. */
const projected = mapPerServer<number, number>();

/**
 * What follows a stored message: whoever looks on sees it at once; the chat's row gets it, then all others who listen are
 * told. A chat's first message is seen when the chat is. A failure never reaches the sender.
 * @param socketId the visitor's socket that sent it
 */
export function follow({ chat, site }: ChatOfSite, message: MessageDoc, socketId?: string): void {
  const chatId = message.chat.toHexString();
  const shown = `${chatId}:shown`;
  if (message.seq === 1) {
    const opened = inOrder(chatId, () => project(site, [message], socketId)).catch((error) =>
      events.fail(error, 'a new chat'),
    );
    afterwards(shown, () => opened);
    return;
  }
  bring(chatId, site, message);
  afterwards(shown, async () => {
    // The acknowledgement leaves first.
    await nextTurn();
    await events.emit('messageStored', { chat, site, message, socketId });
  });
}

/** Has the row get a message: at once after a calm, and when an agent answered; else with others. */
function bring(chatId: string, site: SiteDoc, message: MessageDoc): void {
  const waiting = coming.get(chatId);
  const calmIn = (writtenAt.get(chatId) ?? Number.NEGATIVE_INFINITY) + ROW_EVERY_MS - performance.now();
  if (waiting) waiting.push(message);
  else {
    coming.set(chatId, [message]);
    afterAWhile(chatId, calmIn, () => {
      const messages = coming.get(chatId) ?? [];
      coming.delete(chatId);
      if (writtenAt.size >= WRITTEN_MAX) writtenAt.clear();
      writtenAt.set(chatId, performance.now());
      return project(site, messages);
    });
  }
  if (calmIn <= 0 || message.sender !== 'visitor') hurry(chatId);
}

async function project(site: SiteDoc, messages: MessageDoc[], socketId?: string): Promise<void> {
  const chat = await persistently(() => writeInto(messages));
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
 * Does what follows the messages that a chat's row does not have, as if they had just been stored: their writer crashed, or
 * was never answered.
 */
export function catchUp({ chat: { _id }, site }: ChatOfSite): Promise<void> {
  return inOrder(_id.toHexString(), async () => {
    for (;;) {
      const chat = await ChatModel.findById(_id).lean<ChatDoc>();
      const missing = await MessageModel.find({ chat: _id, seq: { $gt: chat?.lastSeq ?? 0 } })
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

/** How many messages were followed to the end of those made after one second and up to another. Earlier ones are forgotten. */
export function projectedSince(after: number, until: number): number {
  let count = 0;
  for (const second of projected.keys()) {
    if (second <= after) projected.delete(second);
    else if (second <= until) count += projected.get(second) ?? 0;
  }
  return count;
}

async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
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
 * Writes messages, in the order of `seq`, into their chat's row. Where one is missing before them (another writer's is still
 * to come, or a crash took it), the row is made anew from the messages instead.
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

/** A chat's row as it was read, and as it is to be. */
interface RowChange {
  before: ChatDoc;
  after: ChatDoc;
}

/** What each message changes of its chat, and what an answer or a close takes away. */
const SET = ['lastSeq', 'lastMessage', 'lastActivity', 'unread', 'rev'] as const;
const TAKEN = ['waitingSince', 'assignedAt', 'assignedUntil', 'handedBy', 'passedBy'] as const;

/**
 * Writes the rows of chats (one for each chat at most), where nothing has changed them meanwhile.
 * @returns the chat as it is then; null: it is not what it was before
 */
const writeRow = batched(async (steps: RowChange[]) => {
  let areWritten = false;
  try {
    const { n } = await writeDurably({ update: ChatModel.collection.name, updates: steps.map(updateOf) });
    areWritten = n === steps.length;
  } finally {
    // Where the answer is lost, it may be written all the same.
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

/** Every change that a member can make raises `rev`: a row made of an older one is not written. */
function updateOf({ before, after }: RowChange): { q: QueryFilter<ChatDoc>; u: UpdateQuery<ChatDoc> } {
  const { _id, rev, lastSeq } = before;
  const { waitingSince, receipts } = after;
  const gone = TAKEN.filter((name) => before[name] !== undefined && after[name] === undefined);
  return {
    q: { _id, rev, lastSeq },
    u: {
      $set: {
        ...Object.fromEntries(SET.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]])),
        ...(waitingSince && waitingSince !== before.waitingSince && { waitingSince }),
        ...(receipts.staff !== before.receipts.staff && { 'receipts.staff': receipts.staff }),
      },
      ...TOUCHED,
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, 1])) }),
    },
  };
}

/** The chat with one message more in its row. */
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

/** Who answers has read what stands above the answer, and has taken the chat up; nobody waits any more. */
function answered({ seq }: MessageDoc) {
  return {
    $max: { 'receipts.staff.delivered': seq, 'receipts.staff.read': seq },
    $unset: { ...CLEAR_ASSIGNMENT.$unset, waitingSince: 1 },
  };
}

/** Makes the row anew from the messages. */
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
      ...TOUCHED,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  return rebuilt ?? ChatModel.findById(chatId).lean<ChatDoc>();
}

/** When the visitor wrote for the first time since the last answer. */
async function firstUnanswered(chat: Types.ObjectId): Promise<Date | undefined> {
  const answer = await MessageModel.findOne({ chat, sender: 'agent' }).sort({ seq: -1 }).lean<MessageDoc>();
  const after = { chat, seq: { $gt: answer?.seq ?? 0 }, sender: 'visitor' as const };
  const first = await MessageModel.findOne(after).sort({ seq: 1 }).lean<MessageDoc>();
  return first?.createdAt;
}

/** Visitor messages after the last one that staff read, up to the last one that the row has. */
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
