import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '#features/chats';
import { ChatWordsModel } from './model.ts';
import { wordsOf } from './words.ts';
import { addWords } from './writer.ts';

/** A word that is in none of the newest messages counts as gone: it bounds the work for one change. */
const MESSAGES_MAX = 2_000;
const BATCH = 100;

/** A message that its author has changed, and its text from before; null: not known any more. */
export interface ChangedMessage {
  chat: ChatDoc;
  message: MessageDoc;
  before: string | null;
}

/**
 * Makes the index follow a changed message: its new words are added, and those that no message of the chat has any more
 * are removed.
 */
export async function reindexChange({ chat: { _id: chat, site }, message, before }: ChangedMessage): Promise<void> {
  await addWords([{ chat, site, words: new Set(wordsOf(message.content)), personWords: [] }]);
  // The words are looked for in the messages as they are by now: another node may have changed this one again.
  const unused = new Set([...(await wordsToCheck(chat, before)), ...wordsOf(message.content)]);
  const person = await ChatModel.findById(chat, { visitorInfo: 1, lastSeq: 1 }).lean<ChatDoc>();
  if (!person) return;
  drop(unused, wordsOf(person.visitorInfo.name, person.visitorInfo.email));
  const newest = await dropUsed(unused, chat);
  if (unused.size === 0) return;
  await ChatWordsModel.updateOne({ _id: chat }, { $pull: { words: { $in: [...unused] } } });
  // A message that came meanwhile may have found its words in the index, and added none.
  const later = await MessageModel.find({ chat, seq: { $gt: newest }, sender: { $ne: 'system' } }, { content: 1 })
    .limit(MESSAGES_MAX)
    .lean<Pick<MessageDoc, 'content'>[]>();
  const words = new Set(later.flatMap(({ content }) => wordsOf(content)));
  if (words.size > 0) await addWords([{ chat, site, words, personWords: [] }]);
}

async function wordsToCheck(chat: ChatDoc['_id'], before: string | null): Promise<Set<string>> {
  if (before !== null) return new Set(wordsOf(before));
  const stored = await ChatWordsModel.findById(chat).lean();
  return new Set(stored?.words);
}

/** Drops the words that messages of the chat have. @returns the seq of the newest message that was read */
async function dropUsed(words: Set<string>, chat: ChatDoc['_id']): Promise<number> {
  let newest = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (let read = 0; read < MESSAGES_MAX && words.size > 0; read += BATCH) {
    const messages = await MessageModel.find({ chat, seq: { $lt: before } }, { seq: 1, sender: 1, content: 1 })
      .sort({ seq: -1 })
      .limit(BATCH)
      .lean<Pick<MessageDoc, 'seq' | 'sender' | 'content'>[]>();
    for (const { sender, content } of messages) if (sender !== 'system') drop(words, wordsOf(content));
    newest = Math.max(newest, messages[0]?.seq ?? 0);
    before = messages.at(-1)?.seq ?? 0;
    if (messages.length < BATCH) break;
    await nextTurn();
  }
  return newest;
}

function drop(words: Set<string>, used: Iterable<string>): void {
  for (const word of used) words.delete(word);
}
