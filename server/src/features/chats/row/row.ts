import { Types } from 'mongoose';
import type { Receipt, Receipts } from '../contract.ts';
import { newestMessage } from '../messages/messages.ts';
import { type ChatDoc, CLEAR_ASSIGNMENT, type MessageDoc, MessageModel } from '../model.ts';

const PREVIEW_LENGTH = 200;

// What a chat's row says of its messages and of its read receipts. `writeRow.ts` stores it.

/** @returns the chat with one more message in its row */
export function withMessage(chat: ChatDoc, message: MessageDoc): ChatDoc {
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

/** The fields of a row that a newer message changes. @param preview the text of the newest message of a person */
export function newestFields({ seq, createdAt }: MessageDoc, preview: string) {
  return {
    lastSeq: seq,
    lastMessage: previewOf(preview),
    lastActivity: createdAt,
  };
}

/** The start of a text, as a row shows it. */
export const previewOf = (content: string) => content.slice(0, PREVIEW_LENGTH);

/**
 * Fields that a chat's first message and its first answer set once. Both change what the figures count of the chat, so
 * the same write marks it as not counted.
 */
export function firstTimeFields(chat: ChatDoc, { seq, sender, createdAt, author }: MessageDoc): Partial<ChatDoc> {
  const isResponse = sender === 'agent' && !chat.firstResponseAt;
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
export async function withReceipts(chat: ChatDoc, requested: Receipts): Promise<ChatDoc> {
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
export function includes(receipts: Receipts, others: Receipts): boolean {
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
