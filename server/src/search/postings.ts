import type { Types } from 'mongoose';
import { ChatModel } from '../chats/model.ts';
import { duplicateKey } from '../http/errors.ts';
import { forgetChat, type PostingDoc, PostingModel, postingId } from './model.ts';
import { wordsOf } from './words.ts';

/** So many written words are remembered: the same few come with every message of a chat. */
const KNOWN_MAX = 50_000;

/** A text to be found in a chat. */
export interface Entry {
  chat: Types.ObjectId;
  site: Types.ObjectId;
  texts: (string | null)[];
}

/** Gives the function that adds the words that chats are not found by yet. A chat deleted meanwhile is forgotten again. */
export function createPostings(): (entries: Entry[]) => Promise<void> {
  const known = new Set<string>();

  function remember(ids: Iterable<string>): void {
    if (known.size >= KNOWN_MAX) known.clear();
    for (const id of ids) known.add(id);
  }

  return async (entries) => {
    const postings = postingsOf(entries, known);
    if (postings.size === 0) return;
    const ids = [...postings.keys()];
    const stored = await PostingModel.find({ _id: { $in: ids } }, { _id: 1 }).lean<PostingDoc[]>();
    for (const { _id } of stored) postings.delete(_id);
    if (postings.size > 0) {
      await insert([...postings.values()]);
      await forgetDeleted([...postings.values()]);
    }
    remember(ids);
  };
}

function postingsOf(entries: Entry[], known: Set<string>): Map<string, PostingDoc> {
  const postings = new Map<string, PostingDoc>();
  for (const { chat, site, texts } of entries) {
    for (const word of wordsOf(...texts)) {
      const _id = postingId(chat.toHexString(), word);
      if (!known.has(_id)) postings.set(_id, { _id, site, word, chat });
    }
  }
  return postings;
}

/** Another node, or another batch, may have written some of them meanwhile. */
async function insert(postings: PostingDoc[]): Promise<void> {
  try {
    await PostingModel.insertMany(postings, { ordered: false, lean: true });
  } catch (error) {
    if (!duplicateKey(error)) throw error;
  }
}

async function forgetDeleted(postings: PostingDoc[]): Promise<void> {
  const ids = [...new Set(postings.map(({ chat }) => chat.toHexString()))];
  const alive = await ChatModel.find({ _id: { $in: ids } }, { _id: 1 }).lean();
  const left = new Set(alive.map(({ _id }) => _id.toHexString()));
  for (const chat of ids) if (!left.has(chat)) await forgetChat(chat);
}
