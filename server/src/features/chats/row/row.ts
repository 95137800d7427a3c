import { type QueryFilter, Types, type UpdateQuery } from 'mongoose';
import type { SiteDoc } from '#features/sites';
import { batched } from '#platform/cache';
import { writeDurably } from '#platform/database';
import { withoutFormatting } from '#platform/text/formatting/contract';
import { withAssistant } from '../assisted/state.ts';
import type { Receipt, Receipts } from '../contract.ts';
import { isAnswer, type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, CLEAR_ASSIGNMENT, chatCache, SET_UPDATED_AT } from '../model.ts';
import { marksOf } from '../outboxEvents.ts';

const PREVIEW_LENGTH = 200;
/** Number of tries to write a row when other changes of the chat come between. */
const TRIES_MAX = 3;
/** Delay of the batched row writes under load: by then the message has been shown and its sender acknowledged. */
const ROWS_EVERY_MS = 10;

/** What a chat's row has to include: stored messages in the order of `seq`, and how far receipts have moved. */
export interface RowContent {
  site: SiteDoc;
  messages: MessageDoc[];
  receipts: Receipts;
}

/** A written row, and the row from before; `before` null: it was rebuilt. */
export interface WrittenRow {
  before: ChatDoc | null;
  chat: ChatDoc;
}

/**
 * Writes messages and receipts into their chat's row.
 * @returns null: the row has to be rebuilt from the messages, because an earlier one is missing in it (another writer has not
 * finished, or a crash lost it), or because it changes too often
 */
export async function writeInto(
  id: Types.ObjectId,
  { site, messages, receipts }: RowContent,
): Promise<WrittenRow | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await chatCache.find(id.toHexString());
    const missing = await asTheyAre(
      messages.filter(({ seq }) => seq > (before?.lastSeq ?? 0)),
      before,
    );
    if (!before || missing.some(({ seq }, at) => seq !== before.lastSeq + 1 + at)) break;
    const marked = missing.length > 0 ? { ...before, ...marksOf(site, missing) } : before;
    const after = await withReceipts(missing.reduce(withMessage, marked), receipts);
    if (after === before) return { before, chat: before };
    const isShown = missing.length > 0 || after.unread !== before.unread || after.unreadFrom !== before.unreadFrom;
    const chat = await writeRow({ before, after: isShown ? { ...after, rev: before.rev + 1 } : after });
    if (chat) return { before, chat };
  }
  return null;
}

/** Another node may have corrected a message before its row was written: in a chat with corrections, the store says what it is now. */
async function asTheyAre(messages: MessageDoc[], chat: ChatDoc | null): Promise<MessageDoc[]> {
  if (!chat?.lastEdit || messages.length === 0) return messages;
  const stored = await MessageModel.find({ _id: { $in: messages.map(({ _id }) => _id) } }).lean<MessageDoc[]>();
  const byId = new Map(stored.map((message) => [message._id.toHexString(), message]));
  return messages.map((message) => byId.get(message._id.toHexString()) ?? message);
}

/** A chat's row as it was read, and the row to write. */
interface RowChange {
  before: ChatDoc;
  after: ChatDoc;
}

/** Fields that messages change, and those that an answer or a close removes. */
const RESPONSE = ['firstResponseAt', 'firstResponseBy'] as const;
const MARKS = ['uncounted', 'untold', 'unruled', 'unnotified'] as const;
const SET = ['lastSeq', 'lastMessage', 'lastActivity', 'unread', 'rev', 'assistant', ...MARKS, ...RESPONSE] as const;
const CLEARED = [
  'waitingSince',
  'assignedAt',
  'assignedUntil',
  'handedBy',
  'passedBy',
  'unreadFrom',
  'snoozedUntil',
  'assisted',
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

// What a row says of its chat's messages and read receipts.

/** @returns the chat with one more message in its row */
function withMessage(chat: ChatDoc, message: MessageDoc): ChatDoc {
  const isSaid = message.sender !== 'system';
  const newest = newestFields(message, isSaid ? plainText(message) : chat.lastMessage);
  const { waitingSince, ...after } = { ...chat, ...newest, ...firstTimeFields(chat, message) };
  switch (message.sender) {
    case 'visitor': {
      // A receipt may arrive on another node before this row does.
      const unread = message.seq > readByTeam(chat) ? chat.unread + 1 : chat.unread;
      const { snoozedUntil, ...awake } = after;
      return { ...awake, unread, waitingSince: waitingSince ?? message.createdAt };
    }
    case 'agent': {
      if (message.rule) return waitingSince ? { ...after, waitingSince } : after;
      const { assignedAt, assignedUntil, handedBy, passedBy, unreadFrom, ...taken } = after;
      const staff = { delivered: message.seq, read: message.seq };
      return { ...taken, unread: 0, receipts: { ...chat.receipts, staff } };
    }
    case 'assistant':
    case 'system':
      return withAssistant(after, waitingSince, message);
  }
}

/** The fields of a row that a newer message changes. @param preview the text of the newest message of a person */
export function newestFields({ seq, createdAt }: MessageDoc, preview: string) {
  return {
    lastSeq: seq,
    lastMessage: previewOf(preview),
    lastActivity: createdAt,
  };
}

/** The text of a message without formatting. @param addresses whether the addresses of links follow their names */
export function plainText({ content, formatted }: Pick<MessageDoc, 'content' | 'formatted'>, addresses = false) {
  return formatted ? withoutFormatting(content, addresses) : content;
}

/** The start of a text, as a row shows it. */
export const previewOf = (content: string) => content.slice(0, PREVIEW_LENGTH);

/**
 * Fields that a chat's first message and its first answer set once. Both change what the figures count of the chat, so
 * the same write marks it as not counted.
 */
export function firstTimeFields(chat: ChatDoc, message: MessageDoc): Partial<ChatDoc> {
  const { seq, createdAt, author } = message;
  const isResponse = isAnswer(message) && !chat.firstResponseAt;
  return {
    // No visitor waited for the first message of a chat that an agent began.
    ...(isResponse && { firstResponseAt: seq === 1 ? chat.createdAt : createdAt }),
    ...(isResponse && author && { firstResponseBy: author }),
    ...((isResponse || seq === 1) && { uncounted: new Types.ObjectId() }),
  };
}

/** An answer means that the agent has read everything above it and has taken the chat up; no answer is due any more. */
export function answered({ seq }: MessageDoc) {
  return {
    $max: { 'receipts.staff.delivered': seq, 'receipts.staff.read': seq },
    $unset: { ...CLEAR_ASSIGNMENT.$unset, waitingSince: 1 },
  };
}

/** Counts visitor messages after the last one that staff read, up to the last one included in the row. */
export function countUnread(chat: Types.ObjectId, readSeq: number, lastSeq: number): Promise<number> {
  return MessageModel.countDocuments({ chat, seq: { $gt: readSeq, $lte: lastSeq }, sender: 'visitor' });
}

/**
 * @returns the chat with receipts moved forward, never back, and read by the team if it was marked as unread; a receipt past
 * the chat's end counts as the end
 */
async function withReceipts(chat: ChatDoc, requested: Receipts): Promise<ChatDoc> {
  const isReadAgain = (staff: Receipt) => chat.unreadFrom !== undefined && staff.read >= chat.unreadFrom;
  if (includes(chat.receipts, requested) && !isReadAgain(requested.staff)) return chat;
  const furthest = Math.max(requested.visitor.delivered, requested.staff.delivered);
  // The row of a message that another process stored may not be written yet.
  const end = furthest <= chat.lastSeq ? chat.lastSeq : ((await newestMessage(chat._id))?.seq ?? 0);
  const reached = receiptsUpTo(requested, end);
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

/** The sides of a chat that have receipts. */
export const PARTIES = ['visitor', 'staff'] as const;

/** @returns a receipt moved forward as far as another; the same object if it is as far already */
export function furtherOf(one: Receipt, other: Receipt): Receipt {
  if (one.delivered >= other.delivered && one.read >= other.read) return one;
  return { delivered: Math.max(one.delivered, other.delivered), read: Math.max(one.read, other.read) };
}

/** @returns receipts moved forward as far as others; the same object if they are as far already */
function furthestOf(one: Receipts, other: Receipts): Receipts {
  if (includes(one, other)) return one;
  return { visitor: furtherOf(one.visitor, other.visitor), staff: furtherOf(one.staff, other.staff) };
}

/** Whether receipts have moved as far as others. */
function includes(receipts: Receipts, others: Receipts): boolean {
  return PARTIES.every((party) => furtherOf(receipts[party], others[party]) === receipts[party]);
}

/** @returns the receipts, those past the end as the end */
export function receiptsUpTo({ visitor, staff }: Receipts, end: number): Receipts {
  const upTo = ({ delivered, read }: Receipt) => ({ delivered: Math.min(delivered, end), read: Math.min(read, end) });
  return { visitor: upTo(visitor), staff: upTo(staff) };
}

/** @returns the receipts as fields of a write */
export function receiptFields({ visitor, staff }: Receipts) {
  return {
    'receipts.visitor.delivered': visitor.delivered,
    'receipts.visitor.read': visitor.read,
    'receipts.staff.delivered': staff.delivered,
    'receipts.staff.read': staff.read,
  };
}

/**
 * Up to which message staff have read the chat as its lists show it. A chat that is marked as unread counts as read up to the
 * message before the mark; what its visitor is shown as read stays.
 */
export function readByTeam({
  receipts,
  unreadFrom = Number.POSITIVE_INFINITY,
}: Pick<ChatDoc, 'receipts'> & { unreadFrom?: number | undefined }): number {
  return Math.min(receipts.staff.read, unreadFrom - 1);
}

/** @returns the chat's newest message; null: it has none */
export function newestMessage(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}
