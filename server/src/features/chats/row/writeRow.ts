import { type QueryFilter, Types, type UpdateQuery } from 'mongoose';
import { batched } from '#platform/cache';
import type { Receipts } from '../contract.ts';
import {
  firstAnswer,
  firstUnanswered,
  newestMessage,
  newestPersonMessage,
  writeDurably,
} from '../messages/messages.ts';
import { type ChatDoc, ChatModel, chatCache, type MessageDoc, MessageModel, SET_UPDATED_AT } from '../model.ts';
import {
  answered,
  countUnread,
  firstTimeFields,
  includes,
  newestFields,
  readByTeam,
  receiptFields,
  receiptsUpTo,
  withMessage,
  withReceipts,
} from './row.ts';

/** Number of tries to write a row when other changes of the chat come between. */
const TRIES_MAX = 3;
/** Delay of the batched row writes under load: by then the message has been shown and its sender acknowledged. */
const ROWS_EVERY_MS = 10;

/** What a chat's row has to include: stored messages in the order of `seq`, and how far receipts have moved. */
export interface RowContent {
  messages: MessageDoc[];
  receipts: Receipts;
  /** The mark that a row gets with messages. */
  untold?: Types.ObjectId;
}

/** A written row, and the row from before; `before` null: it was rebuilt. */
export interface WrittenRow {
  before: ChatDoc | null;
  chat: ChatDoc;
}

/**
 * Writes messages and receipts into their chat's row. If an earlier message is missing (another writer has not finished, or
 * a crash lost it), the row is rebuilt from the messages instead.
 * @returns null: the chat was deleted meanwhile
 */
export async function writeInto(
  id: Types.ObjectId,
  { messages, receipts, untold }: RowContent,
): Promise<WrittenRow | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await chatCache.find(id.toHexString());
    const missing = messages.filter(({ seq }) => seq > (before?.lastSeq ?? 0));
    if (!before || missing.some(({ seq }, at) => seq !== before.lastSeq + 1 + at)) break;
    const marked = missing.length > 0 && untold ? { ...before, untold } : before;
    const after = await withReceipts(missing.reduce(withMessage, marked), receipts);
    if (after === before) return { before, chat: before };
    const isShown = missing.length > 0 || after.unread !== before.unread || after.unreadFrom !== before.unreadFrom;
    const chat = await writeRow({ before, after: isShown ? { ...after, rev: before.rev + 1 } : after });
    if (chat) return { before, chat };
  }
  const answer = messages.findLast(({ sender }) => sender === 'agent');
  if (answer) await ChatModel.updateOne({ _id: id }, answered(answer));
  const newest = await newestMessage(id);
  if (newest) await writeReceipts(id, receiptsUpTo(receipts, newest.seq));
  const chat = await rebuild(id, untold);
  return chat && { before: null, chat };
}

/** A chat's row as it was read, and the row to write. */
interface RowChange {
  before: ChatDoc;
  after: ChatDoc;
}

/** Fields that messages change, and those that an answer or a close removes. */
const RESPONSE = ['firstResponseAt', 'firstResponseBy'] as const;
const MARKS = ['uncounted', 'untold'] as const;
const SET = ['lastSeq', 'lastMessage', 'lastActivity', 'unread', 'rev', ...MARKS, ...RESPONSE] as const;
const CLEARED = [
  'waitingSince',
  'assignedAt',
  'assignedUntil',
  'handedBy',
  'passedBy',
  'unreadFrom',
  'snoozedUntil',
] as const;

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
  return areWritten ? ({ after }) => after : findWritten(steps);
}, ROWS_EVERY_MS);

/**
 * Finds out which rows of a batch are written, because the store only says how many: their state is read, and the whole
 * chat only where it is another one than was to be written.
 */
async function findWritten(steps: RowChange[]): Promise<(step: RowChange) => ChatDoc | null> {
  const ids = steps.map(({ before }) => before._id);
  const keep = chatCache.reading(ids.map((id) => id.toHexString()));
  const states = await readRows(ids, { rev: 1, lastSeq: 1, receipts: 1 });
  const asWritten = ({ after }: RowChange) => {
    const state = states.get(after._id.toHexString());
    return state?.rev === after.rev && hasReached(state, after);
  };
  const chats = await readRows(steps.filter((step) => !asWritten(step)).map(({ before }) => before._id));
  for (const { after } of steps.filter(asWritten)) chats.set(after._id.toHexString(), after);
  keep([...chats.values()]);
  return ({ after }) => {
    const chat = chats.get(after._id.toHexString());
    return chat && hasReached(chat, after) ? chat : null;
  };
}

async function readRows(ids: Types.ObjectId[], projection: Record<string, 1> = {}): Promise<Map<string, ChatDoc>> {
  const chats = await ChatModel.collection.find<ChatDoc>({ _id: { $in: ids } }, { projection }).toArray();
  return new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
}

/** Whether a row includes what was to be written. */
function hasReached({ lastSeq, rev, receipts }: ChatDoc, after: ChatDoc): boolean {
  return lastSeq === after.lastSeq && rev >= after.rev && includes(receipts, after.receipts);
}

/** Optimistic lock: every change by a member raises `rev`, so a row made from an older one is not written. */
function updateOf({ before, after }: RowChange): { q: QueryFilter<ChatDoc>; u: UpdateQuery<ChatDoc> } {
  const { _id, rev, lastSeq } = before;
  const { waitingSince, receipts } = after;
  const $max = receipts === before.receipts ? {} : { $max: receiptFields(receipts) };
  if (after.rev === rev) return { q: { _id, rev, lastSeq }, u: $max };
  const gone = CLEARED.filter((name) => before[name] !== undefined && after[name] === undefined);
  return {
    q: { _id, rev, lastSeq },
    u: {
      $set: {
        ...Object.fromEntries(SET.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]])),
        ...(waitingSince && waitingSince !== before.waitingSince && { waitingSince }),
      },
      ...$max,
      ...SET_UPDATED_AT,
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, 1])) }),
    },
  };
}

/** As `withReceipts`, in the store, for a row that is rebuilt afterwards. */
async function writeReceipts(_id: Types.ObjectId, receipts: Receipts): Promise<void> {
  await ChatModel.updateOne({ _id }, { $max: receiptFields(receipts) });
  const { read } = receipts.staff;
  if (read > 0) await ChatModel.updateOne({ _id, unreadFrom: { $lte: read } }, { $unset: { unreadFrom: 1 } });
}

/** Rebuilds the row from the messages. It stays marked as unread or snoozed, unless it lacks a message that ends that. */
export async function rebuild(chatId: Types.ObjectId, untold?: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const newestOfPerson = newest.sender === 'system' ? await newestPersonMessage(chatId) : newest;
  const isAnswer = newest.sender === 'agent';
  const mark = chat.unreadFrom === undefined || (await lacks(chat, 'agent')) ? undefined : chat.unreadFrom;
  const readSeq = readByTeam({ receipts: chat.receipts, unreadFrom: mark });
  const unread = isAnswer && mark === undefined ? 0 : await countUnread(chatId, readSeq, newest.seq);
  const isAwake = chat.snoozedUntil === undefined || (await lacks(chat, 'visitor'));
  const waitingSince = newest.sender === 'visitor' ? await firstUnanswered(chatId) : undefined;
  const response = chat.firstResponseAt ? null : await firstAnswer(chatId);
  const { $max, $unset } = answered(newest);
  const { lastActivity, ...shown } = newestFields(newest, newestOfPerson?.content ?? '');
  const gone = {
    ...(isAnswer && $unset),
    ...(!waitingSince && { waitingSince: 1 as const }),
    ...(mark === undefined && { unreadFrom: 1 as const }),
    ...(isAwake && { snoozedUntil: 1 as const }),
  };
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq }, unreadFrom: chat.unreadFrom ?? null },
    {
      // A chat that came back from a snooze has been active later than its newest message.
      $max: { lastActivity, ...(isAnswer && $max) },
      $set: {
        ...shown,
        unread,
        uncounted: new Types.ObjectId(),
        ...(response && firstTimeFields(chat, response)),
        ...(waitingSince && { waitingSince }),
        ...(untold && { untold }),
      },
      ...(Object.keys(gone).length > 0 && { $unset: gone }),
      ...SET_UPDATED_AT,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (rebuilt) return rebuilt;
  const now = await ChatModel.findById(chatId).lean<ChatDoc>();
  return now && now.unreadFrom !== chat.unreadFrom ? rebuild(chatId, untold) : now;
}

/** Whether there is a message of this side that the row lacks. */
async function lacks({ _id, lastSeq }: ChatDoc, sender: 'agent' | 'visitor'): Promise<boolean> {
  return (await MessageModel.exists({ chat: _id, seq: { $gt: lastSeq }, sender })) !== null;
}
