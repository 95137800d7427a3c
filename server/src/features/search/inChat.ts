import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { type MessageDoc, MessageModel } from '#features/chats';
import type { ChatFinds } from './contract.ts';
import { matchesTerm, type Term, termsOf, wordsOf } from './words.ts';

/** Messages that one call reads, and the characters after which it stops earlier. The next call goes on from there. */
const MESSAGES_MAX = 2_000;
const CHARACTERS_MAX = 400_000;
/** Messages per read of the store. */
const BATCH = 200;
/** Other requests get a turn of the event loop after so many characters. */
const TURN_AFTER = 5_000;

/**
 * The messages of a chat that contain every word of a search, newest first. The index of words knows the chat only, so the
 * messages are read.
 * @param before only messages before this seq
 */
export async function searchInChat(chat: Types.ObjectId, search: string, before?: number): Promise<ChatFinds> {
  const terms = termsOf(search);
  const seqs: number[] = [];
  if (terms.length === 0) return { seqs, next: null };
  const next = await readDescending(chat, before, MESSAGES_MAX, (message) => {
    if (isHit(message, terms)) seqs.push(message.seq);
    return false;
  });
  return { seqs, next };
}

/** Messages of one chat that the search over all chats reads, before it is content with having found the chat. */
const DEEP_MAX = 400;

/** The newest message of a chat before a seq that contains all words; null: none of the next ones. */
export async function newestHit(chat: Types.ObjectId, terms: Term[], before: number): Promise<MessageDoc | null> {
  const hits: MessageDoc[] = [];
  await readDescending(chat, before, DEEP_MAX, (message) => {
    if (isHit(message, terms)) hits.push(message);
    return hits.length > 0;
  });
  return hits[0] ?? null;
}

/**
 * Reads messages, newest first, up to a number of them or of their characters.
 * @param visit returns true to stop
 * @returns the seq to go on before; null: the chat is read to its beginning
 */
async function readDescending(
  chat: Types.ObjectId,
  before: number | undefined,
  most: number,
  visit: (message: MessageDoc) => boolean,
): Promise<number | null> {
  let next = before;
  for (let [read, characters] = [0, 0]; read < most && characters < CHARACTERS_MAX; read += BATCH) {
    const messages = await readBefore(chat, next);
    let sinceTurn = 0;
    for (const message of messages) {
      next = message.seq;
      if (visit(message)) return next;
      characters += message.content.length;
      sinceTurn += message.content.length;
      if (sinceTurn > TURN_AFTER) {
        sinceTurn = 0;
        await nextTurn();
      }
    }
    if (messages.length < BATCH) return null;
  }
  return next ?? null;
}

function readBefore(chat: Types.ObjectId, before: number | undefined): Promise<MessageDoc[]> {
  return MessageModel.find(
    { chat, ...(before !== undefined && { seq: { $lt: before } }) },
    { seq: 1, sender: 1, content: 1, formatted: 1, createdAt: 1 },
  )
    .sort({ seq: -1 })
    .limit(BATCH)
    .lean<MessageDoc[]>()
    .exec();
}

function isHit({ sender, content }: MessageDoc, terms: Term[]): boolean {
  if (sender === 'system') return false;
  const words = wordsOf(content);
  return terms.every((term) => matchesTerm(words, term));
}
