import type { QueryFilter } from 'mongoose';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../http/contract.ts';
import type { SiteDoc } from '../sites/model.ts';
import { type ChatPage, listChats, timeCursor, timeOf } from './lists.ts';
import { type ChatDoc, ChatModel } from './model.ts';

/** The index that has only those who wait, whatever else would suit the filter. */
export const BY_WAIT = 'waiting_for_answer';
/** Marks the cursors of those who wait; the others are those of `listChats`. */
const WAITING = 'w';
/** The cursor of the first one who does not wait. */
const REST = 'rest';

/**
 * Chats of some sites, bots left out: those whose visitors wait for an answer, who has waited longest first; then those
 * of the others, newest activity first.
 * @param filter what the chats have to be besides
 * @throws AppError 400 for a cursor that is none
 */
export async function listByWait(sites: SiteDoc[], filter: QueryFilter<ChatDoc>, query: PageQuery): Promise<ChatPage> {
  const { limit = PAGE_LIMIT_DEFAULT, cursor } = query;
  const rest = { ...filter, waitingSince: null };
  if (cursor !== undefined && !cursor.startsWith(WAITING)) {
    return listChats(sites, rest, { limit, ...(cursor !== REST && { cursor }) });
  }
  const waiting = await ChatModel.find(waitingFilter(sites, filter, cursor?.slice(WAITING.length)))
    .sort({ waitingSince: 1, _id: 1 })
    .hint(BY_WAIT)
    .limit(limit + 1)
    .lean<ChatDoc[]>();
  const chats = waiting.slice(0, limit);
  const last = chats.at(-1);
  if (waiting.length > limit && last?.waitingSince) {
    return { chats, nextCursor: WAITING + timeCursor(last.waitingSince, last) };
  }
  if (chats.length === limit) return { chats, nextCursor: REST };
  const others = await listChats(sites, rest, { limit: limit - chats.length });
  return { chats: [...chats, ...others.chats], nextCursor: others.nextCursor };
}

/** The filter behind the first part of `listByWait`: the range is the index's, the tie is broken by id. */
export function waitingFilter(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  cursor: string | undefined,
): QueryFilter<ChatDoc> {
  const ofSites = { ...filter, site: { $in: sites.map(({ _id }) => _id) }, bot: false };
  if (cursor === undefined) return { ...ofSites, waitingSince: { $exists: true } };
  const { at, id } = timeOf(cursor);
  return { ...ofSites, waitingSince: { $gte: at }, $or: [{ waitingSince: { $gt: at } }, { _id: { $gt: id } }] };
}
