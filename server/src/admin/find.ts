import { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { PAGE_LIMIT_DEFAULT } from '../http/contract.ts';
import { badRequest } from '../http/errors.ts';
import { beginningWith } from '../search/model.ts';
import { meets, type Term, termsOf, wordsOf } from '../search/words.ts';
import type { AccountQuery } from './contract.ts';
import { type AccountWordDoc, AccountWordModel } from './model.ts';

const BATCH = 100;
/** Words that one call looks at; a page that is not full by then is answered as it is, with a cursor. */
const LOOK_MAX = 1_000;
const LIVE = { deletedAt: null };

/** A page of accounts and where the next one begins. */
export interface AccountPage {
  users: UserDoc[];
  nextCursor: string | null;
}

/** All accounts, newest first, or those that words lead to, by the alphabet. @throws AppError 400 for a cursor that is none */
export function findAccounts({ search = '', limit = PAGE_LIMIT_DEFAULT, cursor }: AccountQuery): Promise<AccountPage> {
  return search === '' ? newest(limit, cursor) : searched(search, limit, cursor);
}

async function newest(limit: number, cursor: string | undefined): Promise<AccountPage> {
  if (cursor !== undefined && !/^[0-9a-f]{24}$/.test(cursor)) throw noCursor();
  const found = await UserModel.find({ ...LIVE, ...(cursor === undefined ? {} : { _id: { $lt: cursor } }) })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<UserDoc[]>();
  const users = found.slice(0, limit);
  return { users, nextCursor: found.length > limit ? (users.at(-1)?._id.toHexString() ?? null) : null };
}

type Place = Pick<AccountWordDoc, 'word' | 'user'>;

/** The longest word leads through the index; of what it finds, the others are looked for. */
async function searched(search: string, limit: number, cursor: string | undefined): Promise<AccountPage> {
  const terms = termsOf(search).map(({ word }) => ({ word, prefix: true }));
  const [anchor] = [...terms].sort((a, b) => b.word.length - a.word.length);
  let after = cursor === undefined ? null : placeOf(cursor);
  if (!anchor) return { users: [], nextCursor: null };
  const hits: { user: UserDoc; place: Place }[] = [];
  let looked = 0;
  let ended = false;
  while (hits.length <= limit && looked < LOOK_MAX && !ended) {
    const places = await AccountWordModel.find(wordFilter(anchor, after))
      .sort({ word: 1, user: 1 })
      .limit(BATCH)
      .lean<AccountWordDoc[]>();
    hits.push(...(await hitsAt(places, anchor, terms)));
    after = places.at(-1) ?? after;
    looked += places.length;
    ended = places.length < BATCH;
  }
  const page = hits.slice(0, limit);
  const resume = hits.length > limit ? page.at(-1)?.place : ended ? null : after;
  return { users: page.map(({ user }) => user), nextCursor: resume ? `${resume.user}:${resume.word}` : null };
}

/** The filter for all words that begin like the anchor, from a place on. */
export function wordFilter(anchor: Term, after: Place | null) {
  const range = beginningWith(anchor.word);
  if (!after) return { word: range };
  const { word, user } = after;
  return { word: { ...range, $gte: word }, $or: [{ word: { $gt: word } }, { user: { $gt: user } }] };
}

/** An account with several words that begin alike is a hit at one of them only. */
async function hitsAt(places: AccountWordDoc[], anchor: Term, terms: Term[]) {
  const found = await UserModel.find({ _id: { $in: places.map(({ user }) => user) }, ...LIVE }).lean<UserDoc[]>();
  const users = new Map(found.map((user) => [user._id.toHexString(), user]));
  return places.flatMap((place) => {
    const user = users.get(place.user.toHexString());
    if (!user) return [];
    const words = wordsOf(user.name, user.email).sort();
    const isFirst = words.find((word) => word.startsWith(anchor.word)) === place.word;
    return isFirst && terms.every((term) => meets(words, term)) ? [{ user, place }] : [];
  });
}

function placeOf(cursor: string): Place {
  const [, user, word] = cursor.match(/^([0-9a-f]{24}):(.+)$/u) ?? [];
  if (user === undefined || word === undefined) throw noCursor();
  return { user: new Types.ObjectId(user), word };
}

function noCursor() {
  return badRequest('INVALID_CURSOR', 'This cursor is not valid.');
}
