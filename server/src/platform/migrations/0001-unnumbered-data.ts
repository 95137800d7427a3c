import type { mongo } from 'mongoose';
import { dropIndexes, type Step, type StepContext } from './step.ts';

/** A word of a chat in the oldest search index, which had a document for each word; now there is one for each chat. */
interface PostingDoc {
  /** `{chat}:{word}` */
  _id: string;
  site: mongo.ObjectId;
  chat: mongo.ObjectId;
  word: string;
}

interface ChatWordsDoc {
  _id: mongo.ObjectId;
  site: mongo.ObjectId;
  words: string[];
}

const BATCH = 500;
/** The words that a chat is indexed by, with those of its visitor's name. */
const WORDS_MAX = 2_100;
const TOLD_EVERY = 100_000;

/** What versions without numbered data have left. */
export const unnumberedData: Step = {
  version: 1,
  name: 'move the oldest search index, drop unused indexes',
  /** Old nodes look words up in both places, and add none to the old one. */
  before: movePostings,
  async after(context) {
    // The progress of reading messages, before checkpoints told of it.
    await context.db.collection<{ _id: string }>('marks').deleteOne({ _id: 'search' });
    await dropIndexes(context, {
      chats: ['open_by_claimer'],
      invites: ['email_1'],
      mails: ['dueAt_1'],
      messages: ['site_1'],
      notices: ['site_1'],
      replies: ['site_1_shortcut_1'],
      sessions: ['user_1'],
      usages: ['inUse_1'],
      visitors: ['site_1'],
    });
  },
};

/** Words are first written to the new place, then removed from the old one. */
async function movePostings({ db, log }: StepContext): Promise<void> {
  const postings = db.collection<PostingDoc>('postings');
  for (let count = 0; ; ) {
    const moved = await postings.find().sort({ _id: 1 }).limit(BATCH).toArray();
    if (moved.length === 0) break;
    for (const id of new Set(moved.map(({ chat }) => chat.toHexString())))
      await addWords(
        db,
        moved.filter(({ chat }) => chat.toHexString() === id),
      );
    await postings.deleteMany({ _id: { $in: moved.map(({ _id }) => _id) } });
    count += moved.length;
    if (count % TOLD_EVERY === 0) log(`${count} words of the search index are moved.`);
  }
  const [left] = await db.listCollections({ name: 'postings' }).toArray();
  if (left) await postings.drop();
}

/** Adds words of one chat, unless it has been deleted meanwhile. */
async function addWords(db: mongo.Db, postings: PostingDoc[]): Promise<void> {
  const [first] = postings;
  if (!first) return;
  const { chat, site } = first;
  const index = db.collection<ChatWordsDoc>('chatWords');
  const stored = new Set((await index.findOne({ _id: chat }))?.words);
  const missing = postings.map(({ word }) => word).filter((word) => !stored.has(word));
  const fitting = missing.slice(0, Math.max(0, WORDS_MAX - stored.size));
  const update = { $setOnInsert: { site }, $addToSet: { words: { $each: fitting } } };
  await index.updateOne({ _id: chat }, update, { upsert: true });
  if (!(await db.collection('chats').findOne({ _id: chat }, { projection: { _id: 1 } })))
    await index.deleteOne({ _id: chat });
}
