import { Types } from 'mongoose';
import { batched } from '../batcher.ts';
import { conflict, OUT_OF_DISK_SPACE, storageFull, unavailable } from '../http/errors.ts';
import { mapPerServer } from '../scope.ts';
import { inOrder } from './keyedQueue.ts';
import { type MessageDoc, MessageModel } from './model.ts';

/** A message before it has its place in the chat. */
export type Draft = Omit<MessageDoc, '_id' | 'seq'> & Partial<Pick<MessageDoc, '_id'>>;

/** The stored message, and whether this call stored it. */
export interface Appended {
  message: MessageDoc;
  isNew: boolean;
}

/** As the connection has it for all other writes: on the disk of most members before the answer. */
const DURABLE = { w: 'majority', j: true } as const;
const DUPLICATE_KEY = 11_000;
/** More writers than this at once on one chat, and the sender is asked to try again. */
const TRIES_MAX = 50;

const ENDS_MAX = 20_000;

/** How a chat ends. */
interface End {
  seq: number;
  isClosed: boolean;
}

/**
 * The ends of the chats that go on, as this process wrote them. One that has been passed meanwhile costs one try more: the
 * unique index on `(chat, seq)` refuses what would go by it.
 */
const endCache = mapPerServer<string, End>();

/** The chat's newest message; null: none yet. */
export function newestMessage(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}

/**
 * Adds a message at the end of its chat. One insert under two unique indexes is the whole commit: `(chat, seq)` makes
 * the numbers dense, `(senderKey, clientId)` makes a retry answer the message that the first try stored.
 * @returns null when the chat was closed before, and the draft is not stored
 * @throws AppError 409 `ID_CONFLICT` when the sender used this `clientId` for another text
 */
export function append(draft: Draft): Promise<Appended | null> {
  // One after the other: of several at once, all but one would be refused their place and have to look for another.
  return inOrder(`${draft.chat.toHexString()}:end`, () => atEnd(draft));
}

async function atEnd(draft: Draft): Promise<Appended | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const end = await endOf(draft.chat);
    if (end.isClosed) return findSent(draft.senderKey, draft);
    const message = { _id: new Types.ObjectId(), ...draft, seq: end.seq + 1 };
    // Whatever goes wrong, the end is looked up anew the next time.
    endCache.delete(draft.chat.toHexString());
    if (await insertMessage(message)) {
      keepEnd(message);
      return { message, isNew: true };
    }
    const earlier = await findSent(draft.senderKey, draft);
    if (earlier) return earlier;
  }
  throw unavailable();
}

async function endOf(chat: Types.ObjectId): Promise<End> {
  const kept = endCache.get(chat.toHexString());
  if (kept) return kept;
  const newest = await newestMessage(chat);
  return newest ? endWith(newest) : { seq: 0, isClosed: false };
}

function keepEnd(message: MessageDoc): void {
  if (endCache.size >= ENDS_MAX) endCache.clear();
  endCache.set(message.chat.toHexString(), endWith(message));
}

function endWith({ seq, event }: MessageDoc): End {
  return { seq, isClosed: event === 'closed' };
}

/**
 * What an earlier try with this `clientId` stored, in whatever chat; null: nothing.
 * @throws AppError 409 `ID_CONFLICT` when it was another text or file
 */
export async function findSent(
  senderKey: string,
  { clientId, content, file }: Pick<Draft, 'clientId' | 'content'> & { file?: { digest: string } | undefined },
): Promise<Appended | null> {
  const message = await MessageModel.findOne({ senderKey, clientId: clientId.toLowerCase() }).lean<MessageDoc>();
  if (!message) return null;
  const isSame = file ? message.file?.digest === file.digest : !message.file && message.content === content;
  if (!isSame) throw conflict('ID_CONFLICT', 'This message id was used for another text.');
  return { message, isNew: false };
}

/**
 * Inserts a message, durably, together with all others that come at the same time.
 * @returns whether it is stored: a unique index may have refused it
 */
const insertMessage = batched(async (messages: MessageDoc[]) => {
  const refused = new Set<MessageDoc | undefined>();
  const { writeErrors } = await writeDurably({ insert: MessageModel.collection.name, documents: messages });
  for (const { index, code } of writeErrors) {
    if (code !== DUPLICATE_KEY) throw code === OUT_OF_DISK_SPACE ? storageFull() : unavailable();
    refused.add(messages[index]);
  }
  return (message) => !refused.has(message);
});

interface WriteAnswer {
  /** How many documents it was about. */
  n: number;
  writeErrors: { index: number; code: number }[];
}

/** One durable command of writes, straight to the driver: models take longer over each document than the store does. */
export async function writeDurably(command: object): Promise<WriteAnswer> {
  const { db } = MessageModel.db;
  if (!db) throw unavailable();
  const options = { ordered: false, writeConcern: DURABLE };
  const { n, writeErrors = [] } = await db.command({ ...command, ...options }, { ignoreUndefined: true });
  return { n, writeErrors };
}
