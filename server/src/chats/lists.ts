import type { QueryFilter, Types } from 'mongoose';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '../http/contract.ts';
import { badRequest } from '../http/errors.ts';
import type { SiteDoc } from '../sites/model.ts';
import { type ChatListQuery, type ChatStatus, MESSAGE_PAGE, SYNC_ROWS_MAX, type ThreadQuery } from './contract.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, type RemovalDoc, RemovalModel } from './model.ts';

/** A page of chats and where the next one begins. */
export interface ChatPage {
  chats: ChatDoc[];
  nextCursor: string | null;
}

/** A chat is listed from its first message on; one whose first send failed, and may be retried, is not. */
export const BEGUN = { lastSeq: { $gt: 0 } };

/**
 * Chats of some sites, newest activity first, without those of bots.
 * @param filter further conditions
 * @param index the index to use; left out: the store chooses
 * @throws AppError 400 for an invalid cursor
 */
export async function listChats(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
  index?: string,
): Promise<ChatPage> {
  const found = ChatModel.find({
    site: { $in: sites.map(({ _id }) => _id) },
    bot: false,
    ...BEGUN,
    ...filter,
    ...(cursor === undefined ? {} : before('lastActivity', cursor)),
  })
    .sort({ lastActivity: -1, _id: -1 })
    .limit(limit + 1)
    .lean<ChatDoc[]>();
  const chats = await (index === undefined ? found : found.hint(index));
  return pageOf('lastActivity', chats, limit);
}

/** Partial index of unread chats only: few of many, which a scan by activity would find slowly. */
export const BY_UNREAD = 'unread_by_activity';

const STATUSES: ChatStatus[] = ['waiting', 'active', 'closed'];

/** Builds the filter of a list. @param caller the user whom `me` means */
export function listFilter(
  { status = 'all', claimedBy, unread }: Pick<ChatListQuery, 'status' | 'claimedBy' | 'unread'>,
  caller: Types.ObjectId,
): QueryFilter<ChatDoc> {
  const unseen = unread && { unread: { $gt: 0 } };
  if (claimedBy === undefined) return { ...(status !== 'all' && { status }), ...unseen };
  // Lists every status by name, so that one index gives the order for all of them.
  return { claimedBy: caller, status: status === 'all' ? { $in: STATUSES } : status, ...unseen };
}

/** The times that lists of chats are ordered by, newest first. */
type OrderedBy = 'lastActivity' | 'createdAt';

/** Builds a page from a result that has one chat more than the limit when there is a next page. */
export function pageOf(order: OrderedBy, chats: ChatDoc[], limit: number): ChatPage {
  const page = chats.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = chats.length > limit && last ? timeCursor(last[order], last) : null;
  return { chats: page, nextCursor };
}

/**
 * The filter for all chats after a cursor: the index covers the range, the id breaks ties.
 * @throws AppError 400 for an invalid cursor
 */
export function before(order: OrderedBy, cursor: string): object {
  const { at, id } = timeOf(cursor);
  return { [order]: { $lte: at }, $or: [{ [order]: { $lt: at } }, { _id: { $lt: id } }] };
}

/** @returns the cursor after this chat: the time that the list is ordered by, and the id */
function timeCursor(at: Date, { _id }: ChatDoc): string {
  return `${at.getTime()}-${_id.toHexString()}`;
}

/** Parses such a cursor. @throws AppError 400 for an invalid one */
function timeOf(cursor: string): { at: Date; id: string } {
  const [, ms, id] = cursor.match(/^(\d{1,15})-([0-9a-f]{24})$/) ?? [];
  if (ms === undefined || id === undefined) throw badRequest('INVALID_CURSOR', 'This cursor is not valid.');
  return { at: new Date(Number(ms)), id };
}

/** A part of a thread in ascending order; `more`: there are further messages in the requested direction. */
export interface ThreadPage {
  messages: MessageDoc[];
  more: boolean;
}

/** Reads messages after a seq, before a seq, or the newest page. */
export async function readThread(chat: Types.ObjectId, query: ThreadQuery): Promise<ThreadPage> {
  const { before, after, limit = MESSAGE_PAGE } = query;
  const forward = after !== undefined;
  const seq = { ...(forward ? { $gt: after } : {}), ...(before === undefined ? {} : { $lt: before }) };
  const messages = await MessageModel.find({ chat, ...(forward || before !== undefined ? { seq } : {}) })
    .sort({ seq: forward ? 1 : -1 })
    .limit(limit + 1)
    .lean<MessageDoc[]>();
  const page = messages.slice(0, limit);
  return { messages: forward ? page : page.reverse(), more: messages.length > limit };
}

/** The store's time in milliseconds: rows are dated by the store's clock, not by this machine's. */
export async function storeTime(): Promise<number> {
  const hello = await ChatModel.db.db?.command({ hello: 1 });
  return new Date(hello?.localTime ?? Date.now()).getTime();
}

/** Rows changed since a time, oldest change first. It reads one more than a `sync` may answer, to detect too many. */
export function changedSince(sites: SiteDoc[], since: Date): Promise<ChatDoc[]> {
  const ofSites = { site: { $in: sites.map(({ _id }) => _id) }, bot: false };
  return ChatModel.find({ ...ofSites, ...BEGUN, updatedAt: { $gte: since } })
    .sort({ updatedAt: 1 })
    .limit(SYNC_ROWS_MAX + 1)
    .lean<ChatDoc[]>()
    .exec();
}

/** Ids of chats deleted since a time, with the same bound as `changedSince`. */
export async function removedSince(sites: SiteDoc[], since: Date): Promise<string[]> {
  const removals = await RemovalModel.find({
    site: { $in: sites.map(({ _id }) => _id) },
    bot: false,
    at: { $gte: since },
  })
    .limit(SYNC_ROWS_MAX + 1)
    .lean<RemovalDoc[]>();
  return removals.map(({ _id }) => _id.toHexString());
}

/** Number of active chats of a site without those of bots, counted on index keys only. */
export async function countActive(site: Types.ObjectId): Promise<number> {
  return ChatModel.countDocuments({ site, bot: false, status: 'active' });
}

/** Partial index of waiting chats only, forced even where another index would match the filter. */
export const BY_WAIT = 'waiting_for_answer';
/** Marks the cursors of the waiting part of the list; the others are cursors of `listChats`. */
const WAITING = 'w';
/** The cursor of the first chat that does not wait. */
const REST = 'rest';

/**
 * Chats of some sites, without those of bots: first those whose visitor waits for an answer, longest wait first; then
 * the others, newest activity first.
 * @param filter further conditions
 * @throws AppError 400 for an invalid cursor
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

/** The filter of the first part of `listByWait`: the index covers the range, the id breaks ties. */
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
