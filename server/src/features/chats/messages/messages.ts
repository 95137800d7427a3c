import { Types } from 'mongoose';
import { batched, recentlyUsed } from '#platform/cache';
import { DUPLICATE_KEY, OUT_OF_DISK_SPACE, writeDurably } from '#platform/database';
import { events } from '#platform/events';
import type { StoredFile } from '#platform/files';
import { conflict, sentence, storageFull, unavailable } from '#platform/http';
import { enqueue } from '#platform/work';
import { type AnsweredGreeting, type MessageDoc, type MessageMailDoc, MessageModel } from '../messageModel.ts';
import { newestMessage } from '../row/row.ts';
import { maskCardNumbers } from './cardNumbers.ts';

/** A message before it has its `seq` in the chat. */
export type Draft = Omit<MessageDoc, '_id' | 'seq'> & Partial<Pick<MessageDoc, '_id'>>;

/** A text, or a file by its name, with the id that the sender chose for it. */
export interface MessageInput {
  clientId?: string;
  content: string;
  /** Whether its formatting is shown. Only answers have any. */
  formatted?: boolean;
  /** The file, already stored; its id becomes the message's id. */
  stored?: StoredFile;
  /** The greeting that it answers. */
  greeting?: AnsweredGreeting;
  /** How it came by mail. */
  mail?: MessageMailDoc;
}

/** `MessageInput` whose `clientId` is always set. */
export type MessageInputWithId = MessageInput & { clientId: string };

/** The stored message; `isNew`: this call stored it. */
export interface Appended {
  message: MessageDoc;
  isNew: boolean;
}

/** With more concurrent writers than this on one chat, the sender is asked to try again. */
const TRIES_MAX = 50;

const ENDS_MAX = 20_000;

/** The current end of a chat. */
interface End {
  seq: number;
  isClosed: boolean;
}

/**
 * Cache of the ends of active chats, as this process wrote them. An entry that another writer has overtaken costs one
 * more try: the unique index on `(chat, seq)` refuses the insert.
 */
const endCache = recentlyUsed<End>(ENDS_MAX);

/**
 * Appends a message to its chat. One insert under two unique indexes is the whole commit: `(chat, seq)` makes the
 * numbers dense, `(senderKey, clientId)` makes it idempotent: a retry returns the message that the first try stored.
 * @param after only right behind the message with this `seq`: it is not stored where another one stands there
 * @returns null when the chat was already closed, or, for the message that reopens it, was not closed; the draft is then
 *   not stored
 * @throws AppError 409 `ID_CONFLICT` when the sender used this `clientId` for another text
 */
export function append(draft: Draft, after?: number): Promise<Appended | null> {
  // Appends run one at a time: of concurrent ones all but one would lose their seq and have to retry.
  return enqueue(`${draft.chat.toHexString()}:end`, () => atEnd(draft, after));
}

async function atEnd(draft: Draft, after?: number): Promise<Appended | null> {
  // That of a file is known already by the file.
  const _id = draft._id ?? new Types.ObjectId();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const end = await endOf(draft);
    const isOver = after !== undefined && end.seq !== after;
    if (isOver || end.isClosed !== (draft.event === 'reopened')) return findSent(draft.senderKey, draft);
    const message = { ...draft, _id, seq: end.seq + 1 };
    // After any failure, the next append reads the end from the store again.
    endCache.delete(draft.chat.toHexString());
    if (await insertMessage(message)) {
      keepEnd(message.chat, endWith(message));
      return { message, isNew: true };
    }
    const earlier = await findSent(draft.senderKey, draft);
    // The database stored it, the answer was lost, and what was sent again was refused: nobody else tells of it. A file's message has
    // the same id at each try, so of one it cannot be said; the reconciler announces it.
    if (earlier) return { ...earlier, isNew: !draft._id && earlier.message._id.equals(_id) };
  }
  throw unavailable();
}

async function endOf({ chat, event }: Draft): Promise<End> {
  const kept = endCache.get(chat.toHexString());
  // Another node may have closed the chat unheard: an insert shows that, but a reopening inserts nothing into an open chat.
  if (kept && event !== 'reopened') return kept;
  const newest = await newestMessage(chat);
  return newest ? endWith(newest) : { seq: 0, isClosed: false };
}

/** Saves the first message of a chat that was just created the read of its end. */
export function expectFirstMessage(chat: Types.ObjectId): void {
  keepEnd(chat, { seq: 0, isClosed: false });
}

/** Takes over the ends that other nodes write, so that an append here does not have to find them. @returns a disposer */
export function followOtherWriters(): () => void {
  return events.everywhere('messageStored', ({ message }) => {
    const kept = endCache.get(message.chat.toHexString());
    if (kept && kept.seq < message.seq) keepEnd(message.chat, endWith(message));
  });
}

/** A closed end is not kept: another process may reopen the chat, and no insert here would show it. */
function keepEnd(chat: Types.ObjectId, end: End): void {
  if (end.isClosed) {
    endCache.delete(chat.toHexString());
    return;
  }
  endCache.set(chat.toHexString(), end);
}

function endWith({ seq, event }: MessageDoc): End {
  return { seq, isClosed: event === 'closed' };
}

/**
 * Finds the message that an earlier try with this `clientId` stored, in any chat.
 * @returns null when there is none
 * @throws AppError 409 `ID_CONFLICT` when it had another text or file
 */
export async function findSent(
  senderKey: string,
  { clientId, content, file }: Pick<Draft, 'clientId' | 'content'> & { file?: { digest: string } | undefined },
): Promise<Appended | null> {
  const message = await MessageModel.findOne({ senderKey, clientId: clientId.toLowerCase() }).lean<MessageDoc>();
  if (!message) return null;
  // The author may have corrected or deleted it before this retry came.
  const isChanged = message.edit !== undefined;
  const isSame = file ? message.file?.digest === file.digest : !message.file && isSameText(message.content, content);
  if (!isSame && !isChanged)
    throw conflict('ID_CONFLICT', sentence('This message id was already used for a different message.'));
  return { message, isNew: false };
}

/** What was sent may have been stored with card numbers masked, or the other way round if the site's setting changed meanwhile. */
function isSameText(stored: string, sent: string): boolean {
  return stored === sent || maskCardNumbers(stored) === maskCardNumbers(sent);
}

/**
 * Inserts a message durably, batched with all others of the same moment; what is refused is refused alone.
 * @returns false when a unique index refused it
 */
const insertMessage = batched(async (messages: MessageDoc[]) => {
  const { writeErrors } = await writeDurably({ insert: MessageModel.collection.name, documents: messages });
  const refusals = new Map(writeErrors.map(({ index, code }) => [messages[index], code]));
  return (message) => {
    const code = refusals.get(message);
    if (code === undefined || code === DUPLICATE_KEY) return code === undefined;
    throw code === OUT_OF_DISK_SPACE ? storageFull() : unavailable();
  };
});
