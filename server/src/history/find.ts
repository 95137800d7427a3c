import { isObjectIdOrHexString, type QueryFilter, Types } from 'mongoose';
import { type Person, peopleById } from '../auth/view.ts';
import { BEGUN, before, type ChatPage, pageOf } from '../chats/lists.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../http/contract.ts';
import { addDays, calendarOf } from '../http/days.ts';
import { searchChats } from '../search/find.ts';
import type { SiteDoc } from '../sites/model.ts';
import { HISTORY_TOTAL_MAX, type HistoryFilters } from './contract.ts';

/** Chats that a walk through a history reads at once. */
const WALK_BATCH = 100;

/**
 * A page of the chats of some sites that pass the filters, latest begun first, bots left out.
 * @throws AppError 400 for a cursor that is none
 */
export async function findHistory(
  sites: SiteDoc[],
  { search = '', limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: HistoryFilters & PageQuery,
): Promise<ChatPage> {
  return readPage(sites, await historyFilter(sites, filters), search, limit, cursor);
}

/**
 * How many chats pass the filters, counted on the index; null above `HISTORY_TOTAL_MAX`, and where words are looked for:
 * that would mean to read them all.
 */
export async function countHistory(
  sites: SiteDoc[],
  { search = '', ...filters }: HistoryFilters,
): Promise<number | null> {
  if (search !== '') return null;
  const found = await ChatModel.countDocuments(await historyFilter(sites, filters)).limit(HISTORY_TOTAL_MAX + 1);
  return found > HISTORY_TOTAL_MAX ? null : found;
}

/** All chats that pass the filters, in the same order, batch by batch; what begins meanwhile is left out. */
export async function* walkHistory(
  sites: SiteDoc[],
  { search = '', ...filters }: HistoryFilters,
): AsyncGenerator<ChatDoc[]> {
  const filter = await historyFilter(sites, filters);
  let cursor: string | undefined;
  do {
    const { chats, nextCursor } = await readPage(sites, filter, search, WALK_BATCH, cursor);
    if (chats.length > 0) yield chats;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function readPage(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  search: string,
  limit: number,
  cursor: string | undefined,
): Promise<ChatPage> {
  const from = cursor === undefined ? {} : { cursor };
  if (search !== '') return searchChats(sites, filter, { search, limit, ...from });
  const chats = await ChatModel.find({ $and: [filter, BEGUN, cursor === undefined ? {} : before('createdAt', cursor)] })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit + 1)
    .lean<ChatDoc[]>();
  return pageOf('createdAt', chats, limit);
}

/** Everything but the words, as a filter that an index carries in the order of `createdAt`. */
export async function historyFilter(sites: SiteDoc[], filters: HistoryFilters): Promise<QueryFilter<ChatDoc>> {
  const { status = 'all', supporter = '' } = filters;
  return {
    site: { $in: sites.map(({ _id }) => _id) },
    bot: false,
    ...(supporter === '' ? {} : { claimedBy: { $in: await claimersNamed(sites, supporter) } }),
    status: { $in: status === 'all' ? ['waiting', 'active', 'closed'] : [status] },
    ...daysFilter(filters),
  };
}

/** The ids behind a supporter's id or name; a name may be that of several. */
async function claimersNamed(sites: SiteDoc[], supporter: string): Promise<Types.ObjectId[]> {
  if (isObjectIdOrHexString(supporter)) return [new Types.ObjectId(supporter)];
  const wanted = supporter.toLowerCase();
  return (await supportersOf(sites)).filter(({ name }) => name.toLowerCase() === wanted).map(({ _id }) => _id);
}

function daysFilter({ startDate, endDate, tz }: HistoryFilters): QueryFilter<ChatDoc> {
  if (startDate === undefined && endDate === undefined) return {};
  const calendar = calendarOf(tz);
  const from = startDate === undefined ? {} : { $gte: new Date(calendar.startOf(startDate)) };
  const to = endDate === undefined ? {} : { $lt: new Date(calendar.startOf(addDays(endDate, 1))) };
  return { createdAt: { ...from, ...to } };
}

/** More people than this have hardly answered for one site. */
const SUPPORTERS_MAX = 200;

/**
 * Everybody who claimed chats of these sites, by name; whoever left the team is still there. Found by going from one
 * claimer to the next in the index, which costs what there are people and not what there are chats.
 */
export async function supportersOf(sites: SiteDoc[]): Promise<Person[]> {
  const claimers = await Promise.all(sites.map(({ _id }) => claimersOf(_id)));
  const people = [...(await peopleById(claimers.flat())).values()];
  return people.sort((a, b) => a.name.localeCompare(b.name));
}

async function claimersOf(site: Types.ObjectId): Promise<Types.ObjectId[]> {
  const claimers: Types.ObjectId[] = [];
  let after = new Types.ObjectId('0'.repeat(24));
  while (claimers.length < SUPPORTERS_MAX) {
    const next = await ChatModel.findOne({ site, bot: false, claimedBy: { $gt: after } }, { claimedBy: 1, _id: 0 })
      .sort({ claimedBy: 1 })
      .lean();
    if (!next?.claimedBy) break;
    claimers.push(next.claimedBy);
    after = next.claimedBy;
  }
  return claimers;
}
