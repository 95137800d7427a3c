import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { type MessageDoc, MessageModel } from '../chats/model.ts';
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
  let next = before;
  if (terms.length === 0) return { seqs, next: null };
  for (let [read, characters] = [0, 0]; read < MESSAGES_MAX && characters < CHARACTERS_MAX; read += BATCH) {
    const messages = await readBefore(chat, next);
    let sinceTurn = 0;
    for (const message of messages) {
      if (isFound(message, terms)) seqs.push(message.seq);
      next = message.seq;
      characters += message.content.length;
      sinceTurn += message.content.length;
      if (sinceTurn > TURN_AFTER) {
        sinceTurn = 0;
        await nextTurn();
      }
    }
    if (messages.length < BATCH) return { seqs, next: null };
  }
  return { seqs, next: next ?? null };
}

function readBefore(chat: Types.ObjectId, before: number | undefined): Promise<MessageDoc[]> {
  return MessageModel.find(
    { chat, ...(before !== undefined && { seq: { $lt: before } }) },
    { seq: 1, sender: 1, content: 1 },
  )
    .sort({ seq: -1 })
    .limit(BATCH)
    .lean<MessageDoc[]>()
    .exec();
}

function isFound({ sender, content }: MessageDoc, terms: Term[]): boolean {
  if (sender === 'system') return false;
  const words = wordsOf(content);
  return terms.every((term) => matchesTerm(words, term));
}
