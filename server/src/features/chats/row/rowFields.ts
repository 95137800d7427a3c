import { Types } from 'mongoose';
import { type ChatDoc, CLEAR_ASSIGNMENT, type MessageDoc, MessageModel } from '../model.ts';

const PREVIEW_LENGTH = 200;

/** The fields of a row that a newer message changes. @param said the text of the newest message of a person */
export function newestFields({ seq, createdAt }: MessageDoc, said: string) {
  return {
    lastSeq: seq,
    lastMessage: previewOf(said),
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
