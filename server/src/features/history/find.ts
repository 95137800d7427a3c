import { isObjectIdOrHexString, type QueryFilter, Types } from 'mongoose';
import { type Person, peopleById } from '#features/auth';
import { type ChatDoc, ChatModel, departmentFilter, HAS_MESSAGES, readByTime } from '#features/chats';
import { searchChats } from '#features/search';
import type { SiteDoc } from '#features/sites';
import type { PageOf } from '#platform/http';
import type { PageQuery } from '#platform/http/contract';
import { addDays, calendarOf } from '#platform/time';
import { HISTORY_TOTAL_MAX, type HistoryFilters } from './contract.ts';

/** How many chats `walkHistory` reads in one batch. */
const WALK_BATCH = 100;

/**
 * One page of the chats of some sites that pass the filters, the latest first, without chats of bots.
 * @throws AppError 400 for an invalid cursor
 */
export async function findHistory(
  sites: SiteDoc[],
  { search = '', limit, cursor, ...filters }: HistoryFilters & PageQuery,
): Promise<PageOf<ChatDoc>> {
  const query = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  return findFiltered(sites, await historyFilter(sites, filters), search, query);
}

/**
 * Counts the chats that pass the filters, on the index alone.
 * @returns null above `HISTORY_TOTAL_MAX`, and for a search for words, because that would read every chat
 */
export async function countHistory(
  sites: SiteDoc[],
  { search = '', ...filters }: HistoryFilters,
): Promise<number | null> {
  if (search !== '') return null;
  const found = await ChatModel.countDocuments(await historyFilter(sites, filters)).limit(HISTORY_TOTAL_MAX + 1);
  return found > HISTORY_TOTAL_MAX ? null : found;
}

/**
 * All chats that pass the filters, in the order of `findHistory`, batch by batch. Chats that begin during the walk are left
 * out.
 */
export async function* walkHistory(
  sites: SiteDoc[],
  { search = '', ...filters }: HistoryFilters,
): AsyncGenerator<ChatDoc[]> {
  const filter = await historyFilter(sites, filters);
  let query: PageQuery | null = { limit: WALK_BATCH };
  while (query !== null) {
    const { items, nextCursor }: PageOf<ChatDoc> = await findFiltered(sites, filter, search, query);
    if (items.length > 0) yield items;
    query = nextCursor === null ? null : { limit: WALK_BATCH, cursor: nextCursor };
  }
}

function findFiltered(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  search: string,
  query: PageQuery,
): Promise<PageOf<ChatDoc>> {
  if (search !== '') return searchChats(sites, filter, { search, ...query });
  return readByTime('createdAt', query, (behind) => ({ $and: [filter, HAS_MESSAGES, behind] }));
}

/** All filters but the words, as a query that an index serves in the order of `createdAt`. */
export async function historyFilter(sites: SiteDoc[], filters: HistoryFilters): Promise<QueryFilter<ChatDoc>> {
  const { status = 'all', supporter = '', department } = filters;
  return {
    site: { $in: sites.map(({ _id }) => _id) },
    bot: false,
    ...(supporter === '' ? {} : { claimedBy: { $in: await claimersNamed(sites, supporter) } }),
    status: { $in: status === 'all' ? ['waiting', 'active', 'closed'] : [status] },
    ...departmentFilter(sites, department),
    ...daysFilter(filters),
  };
}

/** The user ids that a supporter's id or name stands for. Several users may have the same name. */
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

/** A limit for the loop: one site is not expected to have had more supporters than this. */
const SUPPORTERS_MAX = 200;

/**
 * All who claimed chats of these sites, by name, including those who have left the team. A loose index scan: it jumps in the
 * index from one claimer to the next, so the cost grows with the number of people, not of chats.
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
