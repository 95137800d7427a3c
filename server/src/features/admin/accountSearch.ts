import { Schema, Types } from 'mongoose';
import { type UserDoc, UserModel } from '#features/auth';
import { beginningWith, matchesTerm, ProgressModel, type Term, termsOf, wordsOf } from '#features/search';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { idCursor, invalidCursor, olderThan, type PageOf, readPage, toPage } from '#platform/http';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '#platform/http/contract';
import type { AccountQuery } from './contract.ts';

/** One word of an account's name or e-mail: the index by which the list of accounts is searched. */
export interface AccountWordDoc {
  /** `{user}:{word}` */
  _id: string;
  word: string;
  user: Types.ObjectId;
}

const accountWordSchema = new Schema<AccountWordDoc>(
  {
    _id: { type: String, required: true },
    word: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
  },
  { versionKey: false },
);
accountWordSchema.index({ word: 1, user: 1 });
accountWordSchema.index({ user: 1 });
export const AccountWordModel = defineModel<AccountWordDoc>('AccountWord', accountWordSchema, 'accountwords');

const MARK = 'accounts';
const INDEXED_AT_ONCE = 100;

/** Keeps each account's words and last visit up to date from the events. @param now milliseconds @returns a disposer */
export function trackAccounts(now: () => number): () => void {
  const seen = (userId: string) => UserModel.updateOne({ _id: userId }, { $max: { lastSeenAt: new Date(now()) } });
  return events.stopAll([
    // Also at each sign-in: it restores words that a crash between the writes of the account and of its words lost.
    events.on('signedIn', async ({ userId }) => {
      await Promise.all([seen(userId), indexById(userId)]);
    }),
    events.on('accountChanged', async ({ userId, fields }) => {
      if (fields.includes('name') || fields.includes('email')) await indexById(userId);
    }),
    events.on('sessionEnded', async ({ userId, reason }) => {
      if (reason === 'signed_out') await seen(userId);
    }),
    events.on('accountDeleted', async ({ userId }) => {
      await AccountWordModel.deleteMany({ user: userId });
    }),
  ]);
}

/** Indexes, once, the accounts that existed before this index did. */
export async function indexAccounts(now: number, signal: AbortSignal): Promise<void> {
  if (await ProgressModel.exists({ _id: MARK })) return;
  for (let after = new Types.ObjectId('0'.repeat(24)); !signal.aborted; ) {
    const users = await UserModel.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(INDEXED_AT_ONCE)
      .lean<UserDoc[]>();
    for (const user of users) await indexAccount(user);
    const last = users.at(-1);
    if (!last) {
      await ProgressModel.updateOne({ _id: MARK }, { $set: { at: new Date(now) } }, { upsert: true });
      return;
    }
    after = last._id;
  }
}

async function indexById(userId: string): Promise<void> {
  const user = await UserModel.findById(userId).lean<UserDoc>();
  if (user) await indexAccount(user);
}

/** Updates the words of an account; writes nothing where they are up to date. */
async function indexAccount({ _id: user, name, email }: UserDoc): Promise<void> {
  const words = new Map(wordsOf(name, email).map((word) => [`${user}:${word}`, word]));
  const stored = await AccountWordModel.find({ user }, { _id: 1 }).lean<Pick<AccountWordDoc, '_id'>[]>();
  const old = stored.map(({ _id }) => _id).filter((id) => !words.delete(id));
  for (const [_id, word] of words)
    await AccountWordModel.updateOne({ _id }, { $setOnInsert: { word, user } }, { upsert: true });
  if (old.length > 0) await AccountWordModel.deleteMany({ _id: { $in: old } });
}

const FOUND_AT_ONCE = 100;
/** Words that one call examines. A page that is not full by then is returned as it is, with a cursor. */
const LOOK_MAX = 1_000;
const LIVE = { deletedAt: null };

/**
 * All accounts, newest first, or those that match a search, in alphabetical order.
 * @throws AppError 400 for an invalid cursor
 */
export async function findAccounts({ search = '', ...query }: AccountQuery): Promise<PageOf<UserDoc>> {
  if (search !== '') return searched(search, query);
  const filter = { ...LIVE, ...olderThan(query.cursor) };
  const find = (limit: number) => UserModel.find(filter).sort({ _id: -1 }).limit(limit).lean<UserDoc[]>();
  return readPage(query, find, idCursor);
}

type WordPosition = Pick<AccountWordDoc, 'word' | 'user'>;

/** Finds accounts by the longest word through the index, and filters them by the others. */
async function searched(search: string, { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery): Promise<PageOf<UserDoc>> {
  const terms = termsOf(search).map(({ word }) => ({ word, prefix: true }));
  const [anchor] = [...terms].sort((a, b) => b.word.length - a.word.length);
  let after = cursor === undefined ? null : positionOf(cursor);
  if (!anchor) return { items: [], nextCursor: null };
  const hits: { user: UserDoc; position: WordPosition }[] = [];
  let looked = 0;
  let ended = false;
  while (hits.length <= limit && looked < LOOK_MAX && !ended) {
    const positions = await AccountWordModel.find(wordFilter(anchor, after))
      .sort({ word: 1, user: 1 })
      .limit(FOUND_AT_ONCE)
      .lean<AccountWordDoc[]>();
    hits.push(...(await hitsAt(positions, anchor, terms)));
    after = positions.at(-1) ?? after;
    looked += positions.length;
    ended = positions.length < FOUND_AT_ONCE;
  }
  const { items, nextCursor } = toPage(hits, limit, ({ position }) => positionCursor(position));
  return {
    items: items.map(({ user }) => user),
    nextCursor: nextCursor ?? (ended || !after ? null : positionCursor(after)),
  };
}

const positionCursor = ({ user, word }: WordPosition) => `${user}:${word}`;

/** The filter for all words that begin with the anchor, from a place on. */
export function wordFilter(anchor: Term, after: WordPosition | null) {
  const range = beginningWith(anchor.word);
  if (!after) return { word: range };
  const { word, user } = after;
  return { word: { ...range, $gte: word }, $or: [{ word: { $gt: word } }, { user: { $gt: user } }] };
}

/** An account may have several words with the same beginning: it counts as a hit at one of them only. */
async function hitsAt(positions: AccountWordDoc[], anchor: Term, terms: Term[]) {
  const found = await UserModel.find({ _id: { $in: positions.map(({ user }) => user) }, ...LIVE }).lean<UserDoc[]>();
  const users = new Map(found.map((user) => [user._id.toHexString(), user]));
  return positions.flatMap((position) => {
    const user = users.get(position.user.toHexString());
    if (!user) return [];
    const words = wordsOf(user.name, user.email).sort();
    const isFirst = words.find((word) => word.startsWith(anchor.word)) === position.word;
    return isFirst && terms.every((term) => matchesTerm(words, term)) ? [{ user, position }] : [];
  });
}

function positionOf(cursor: string): WordPosition {
  const [, user, word] = cursor.match(/^([0-9a-f]{24}):(.+)$/u) ?? [];
  if (user === undefined || word === undefined) throw invalidCursor();
  return { user: new Types.ObjectId(user), word };
}
