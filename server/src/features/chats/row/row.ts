import type { QueryFilter, Types, UpdateQuery } from 'mongoose';
import { batched } from '#platform/cache';
import type { Receipt, Receipts } from '../contract.ts';
import { newestMessage, newestSaid, writeDurably } from '../messages/messages.ts';
import { type ChatDoc, ChatModel, chatCache, type MessageDoc, SET_UPDATED_AT } from '../model.ts';
import type { UntoldUpdate } from '../webhooks.ts';
import { rebuild } from './rebuild.ts';
import { furthestOf, includes, readByTeam, receiptFields, receiptsUpTo } from './receipts.ts';
import { answered, countUnread, firstTimeFields, newestFields, previewOf } from './rowFields.ts';

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
  return areWritten ? ({ after }) => after : tellApart(steps);
}, ROWS_EVERY_MS);

/**
 * Finds out which rows of a batch are written, because the store only says how many: their state is read, and the whole
 * chat only where it is another one than was to be written.
 */
async function tellApart(steps: RowChange[]): Promise<(step: RowChange) => ChatDoc | null> {
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

/** @returns the chat with one more message in its row */
function withMessage(chat: ChatDoc, message: MessageDoc): ChatDoc {
  const isSaid = message.sender !== 'system';
  const newest = newestFields(message, isSaid ? message.content : chat.lastMessage);
  const { waitingSince, ...after } = { ...chat, ...newest, ...firstTimeFields(chat, message) };
  switch (message.sender) {
    case 'visitor': {
      // A receipt may arrive on another node before this row does.
      const unread = message.seq > readByTeam(chat) ? chat.unread + 1 : chat.unread;
      const { snoozedUntil, ...awake } = after;
      return { ...awake, unread, waitingSince: waitingSince ?? message.createdAt };
    }
    case 'agent': {
      const { assignedAt, assignedUntil, handedBy, passedBy, unreadFrom, ...taken } = after;
      const staff = { delivered: message.seq, read: message.seq };
      return { ...taken, unread: 0, receipts: { ...chat.receipts, staff } };
    }
    case 'system':
      return after;
  }
}

/**
 * @returns the chat with receipts moved forward, never back, and read by the team if it was marked as unread; a receipt past
 * the chat's end counts as the end
 */
async function withReceipts(chat: ChatDoc, asked: Receipts): Promise<ChatDoc> {
  const isReadAgain = (staff: Receipt) => chat.unreadFrom !== undefined && staff.read >= chat.unreadFrom;
  if (includes(chat.receipts, asked) && !isReadAgain(asked.staff)) return chat;
  const furthest = Math.max(asked.visitor.delivered, asked.staff.delivered);
  // The row of a message that another process stored may not be written yet.
  const end = furthest <= chat.lastSeq ? chat.lastSeq : ((await newestMessage(chat._id))?.seq ?? 0);
  const reached = receiptsUpTo(asked, end);
  const { unreadFrom, ...unmarked } = chat;
  const from = isReadAgain(reached.staff) ? unmarked : chat;
  const receipts = furthestOf(chat.receipts, reached);
  if (from === chat && receipts === chat.receipts) return chat;
  const after = { ...from, receipts };
  const read = readByTeam(after);
  const isAsBefore = chat.unread === 0 || read === readByTeam(chat);
  const left = () => (read >= chat.lastSeq ? 0 : countUnread(chat._id, read, chat.lastSeq));
  return { ...after, unread: isAsBefore ? chat.unread : await left() };
}

/** As `withReceipts`, in the store, for a row that is rebuilt afterwards. */
async function writeReceipts(_id: Types.ObjectId, receipts: Receipts): Promise<void> {
  await ChatModel.updateOne({ _id }, { $max: receiptFields(receipts) });
  const { read } = receipts.staff;
  if (read > 0) await ChatModel.updateOne({ _id, unreadFrom: { $lte: read } }, { $unset: { unreadFrom: 1 } });
}

/**
 * Includes a changed message in its chat's row.
 * @param update what else is written with it
 * @returns null: the chat was deleted meanwhile
 */
export async function writeChange(
  { chat, seq, content, edit = 0 }: MessageDoc,
  { fields, ...told }: UntoldUpdate,
): Promise<ChatDoc | null> {
  const update = { $set: fields, ...told, ...SET_UPDATED_AT, $max: { lastEdit: edit }, $inc: { rev: 1 } };
  const after = { returnDocument: 'after' } as const;
  const withText = { ...update, $set: { ...fields, lastMessage: previewOf(content) } };
  // Below system messages, such as that of a close, the row still shows the message.
  const end = (await newestMessage(chat))?.seq ?? seq;
  const isShown = end === seq || (await newestSaid(chat))?.seq === seq;
  const inRow = { _id: chat, lastSeq: { $gte: seq, $lte: end } };
  const shown = isShown && (await ChatModel.findOneAndUpdate(inRow, withText, after).lean<ChatDoc>());
  return shown || ChatModel.findOneAndUpdate({ _id: chat }, update, after).lean<ChatDoc>();
}
