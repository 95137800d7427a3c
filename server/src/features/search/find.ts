import type { QueryFilter, Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import { idBehind, idCursor, type PageOf, toPage } from '#platform/http';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '#platform/http/contract';
import { wordsWritten } from './indexer.ts';
import { BY_ID, byCodePoint, chatsWithWord, holding, holdingPrefix, nextWord } from './sources.ts';
import { type Term, termsOf } from './words.ts';

/** Reads the next ids of a list in descending order, below a given id. */
export type ReadDescending = (before: Types.ObjectId | undefined, limit: number) => Promise<Types.ObjectId[]>;

/** The first read of each list. It is small: of many lists merged, most contribute only a few ids. */
const FIRST_READ = 8;

interface List {
  read: ReadDescending;
  ids: Types.ObjectId[];
  before: Types.ObjectId | undefined;
  next: number;
  ended: boolean;
}

/** Merges several lists in descending order into the first ids of one such list, each id once. */
async function mergeDescending(
  reads: ReadDescending[],
  before: Types.ObjectId | undefined,
  count: number,
): Promise<Types.ObjectId[]> {
  const first = reads.length === 1 ? count : FIRST_READ;
  const lists: List[] = reads.map((read) => ({ read, ids: [], before, next: first, ended: false }));
  const found: Types.ObjectId[] = [];
  for (;;) {
    await Promise.all(lists.map((list) => fill(list, count)));
    // As long as every list has a head or is at its end, the largest head is the next id of the merged list.
    do {
      const next = largest(lists);
      if (!next) return found;
      if (!found.at(-1)?.equals(next)) found.push(next);
      if (found.length === count) return found;
    } while (lists.every(({ ids, ended }) => ids.length > 0 || ended));
  }
}

async function fill(list: List, count: number): Promise<void> {
  if (list.ids.length > 0 || list.ended) return;
  const limit = Math.min(list.next, count);
  list.ids = await list.read(list.before, limit);
  list.ended = list.ids.length < limit;
  list.before = list.ids.at(-1) ?? list.before;
  list.next *= 4;
}

/** Removes the largest head from its list. */
function largest(lists: List[]): Types.ObjectId | undefined {
  let best: List | undefined;
  for (const list of lists) {
    const [head] = list.ids;
    if (head && (!best?.ids[0] || compare(head, best.ids[0]) > 0)) best = list;
  }
  return best?.ids.shift();
}

const compare = (a: Types.ObjectId, b: Types.ObjectId) => Buffer.compare(a.id, b.id);

const BATCH = 100;
/** Chats that one call examines. A page that is not full by then is returned as it is, with a cursor. */
const LOOK_MAX = 1_000;
/** Words that a prefix is expanded to: the first ones in alphabetical order, so the prefix itself comes first. */
const PREFIX_WORDS_MAX = 24;
/** Lists of chats that are merged at once: one for each word on each site. */
const MERGE_MAX = 200;

/** A search, and which page of its results. */
export interface ChatSearch extends PageQuery {
  search: string;
}

/** A term, expanded to the words that the index is asked for. */
interface Wanted {
  term: Term;
  words: string[];
  /** The prefix matches more words than these. */
  cut: boolean;
}

/**
 * Chats of some sites that contain every word of a search, latest begun first, without those of bots. A search that
 * contains no word finds nothing.
 * @param filter further conditions on the chats
 * @throws AppError 400 for an invalid cursor
 */
export async function searchChats(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  { search, limit = PAGE_LIMIT_DEFAULT, cursor }: ChatSearch,
): Promise<PageOf<ChatDoc>> {
  const siteIds = sites.map(({ _id }) => _id);
  let before = cursor === undefined ? undefined : idBehind(cursor);
  const terms = termsOf(search);
  if (terms.length === 0 || sites.length === 0) return { items: [], nextCursor: null };
  await wordsWritten(sites);
  const wanted = await Promise.all(terms.map((term) => wordsBehind(siteIds, term)));
  const anchor = await rarest(siteIds, wanted, before);
  const others = wanted.filter((one) => one !== anchor).sort((a, b) => Number(a.cut) - Number(b.cut));

  const found: ChatDoc[] = [];
  let looked = 0;
  let ended = false;
  while (found.length <= limit && looked < LOOK_MAX && !ended) {
    // With no other condition, most of the chats found will be shown.
    const ids = await chatsWith(siteIds, anchor.words, before, looked === 0 && others.length === 0 ? limit + 1 : BATCH);
    const meeting = await meetingAll(ids, others);
    found.push(...(await readChats(meeting, { $and: [filter, { site: { $in: siteIds }, bot: false }] })));
    before = ids.at(-1) ?? before;
    looked += ids.length;
    ended = ids.length === 0;
  }
  const page = toPage(found, limit, idCursor);
  return ended || page.nextCursor !== null ? page : { ...page, nextCursor: before?.toHexString() ?? null };
}

/** The words in use that a term matches. */
async function wordsBehind(sites: Types.ObjectId[], term: Term): Promise<Wanted> {
  if (!term.prefix) return { term, words: [term.word], cut: false };
  const most = Math.max(1, Math.min(PREFIX_WORDS_MAX, Math.floor(MERGE_MAX / sites.length)));
  const ofEach = sites.map((site) => firstWords(site, term.word, most + 1));
  const words = [...new Set((await Promise.all(ofEach)).flat())].sort(byCodePoint);
  return { term, words: words.slice(0, most), cut: words.length > most };
}

/** The first words of a site with this beginning, each looked up after the one before. */
async function firstWords(site: Types.ObjectId, prefix: string, count: number): Promise<string[]> {
  const words: string[] = [];
  while (words.length < count) {
    const next = await nextWord(site, prefix, words.at(-1));
    if (next === null) break;
    words.push(next);
  }
  return words;
}

/** The most selective term: the one whose next chats reach back furthest. */
async function rarest(sites: Types.ObjectId[], wanted: Wanted[], before: Types.ObjectId | undefined): Promise<Wanted> {
  const whole = wanted.filter(({ cut }) => !cut);
  const [first, ...others] = whole.length > 0 ? whole : wanted;
  if (!first) throw new Error('a search needs a term');
  if (others.length === 0) return first;
  const reaches = await Promise.all(
    [first, ...others].map(async (one) => {
      const ids = await chatsWith(sites, one.words, before);
      return { one, reach: ids.length < BATCH ? '' : String(ids.at(-1)), count: ids.length };
    }),
  );
  const [best] = reaches.sort((a, b) => (a.reach < b.reach ? -1 : a.reach > b.reach ? 1 : a.count - b.count));
  return best?.one ?? first;
}

/** The next chats with one of these words, latest begun first. */
function chatsWith(
  sites: Types.ObjectId[],
  words: string[],
  before: Types.ObjectId | undefined,
  count = BATCH,
): Promise<Types.ObjectId[]> {
  const lists = sites.flatMap((site) =>
    words.map((word) => (from: Types.ObjectId | undefined, limit: number) => chatsWithWord(site, word, from, limit)),
  );
  return mergeDescending(lists, before, count);
}

async function meetingAll(chats: Types.ObjectId[], others: Wanted[]): Promise<Types.ObjectId[]> {
  let left = chats;
  for (const one of others) {
    if (left.length === 0) break;
    const ids = new Set((await meeting(left, one)).map((chat) => chat.toHexString()));
    left = left.filter((chat) => ids.has(chat.toHexString()));
  }
  return left;
}

/**
 * The chats that match a term. A prefix that was cut matches too many words to list them: it is looked up among the words
 * of each chat.
 */
function meeting(chats: Types.ObjectId[], { cut, term, words }: Wanted): Promise<Types.ObjectId[]> {
  return cut ? holdingPrefix(chats, term.word) : holding(chats, words);
}

/** The filter that `readChats` uses. */
export function chatsFilter(ids: Types.ObjectId[], filter: QueryFilter<ChatDoc>): QueryFilter<ChatDoc> {
  return { $and: [{ _id: { $in: ids } }, filter] };
}

async function readChats(ids: Types.ObjectId[], filter: QueryFilter<ChatDoc>): Promise<ChatDoc[]> {
  if (ids.length === 0) return [];
  const chats = await ChatModel.find(chatsFilter(ids, filter)).hint(BY_ID).lean<ChatDoc[]>();
  const byId = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return ids.flatMap((id) => byId.get(id.toHexString()) ?? []);
}
