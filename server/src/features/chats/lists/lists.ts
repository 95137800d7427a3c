import { type QueryFilter, Types } from 'mongoose';
import { departmentsOf, type SiteDoc } from '#features/sites';
import { type PageOf, readPage, timeBehind, timeCursor } from '#platform/http';
import { PAGE_LIMIT_DEFAULT, type PageQuery } from '#platform/http/contract';
import {
  CHANGES_MAX,
  type ChatListQuery,
  type ChatStatus,
  MESSAGE_PAGE,
  SYNC_ROWS_MAX,
  type ThreadQuery,
} from '../contract.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { rowsWritten } from '../row/projection.ts';
import { type RemovalDoc, RemovalModel } from './removals.ts';

/** A chat is listed from its first message on; one whose first send failed, and may be retried, is not. */
export const HAS_MESSAGES = { lastSeq: { $gt: 0 } };

/**
 * Chats of some sites, newest activity first, without those of bots.
 * @param filter further conditions
 * @param index the index to use; left out: the store chooses
 * @throws AppError 400 for an invalid cursor
 */
export async function listChats(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  query: PageQuery,
  index?: string,
): Promise<PageOf<ChatDoc>> {
  await rowsWritten(sites);
  const all = { site: { $in: sites.map(({ _id }) => _id) }, bot: false, ...HAS_MESSAGES, ...filter };
  return readByTime('lastActivity', query, (behind) => ({ ...all, ...behind }), index);
}

/** The conditions of a list that do not depend on its order. */
export type ListConditions = Pick<ChatListQuery, 'status' | 'claimedBy' | 'unread' | 'handed' | 'tag' | 'department'>;

/** Partial index of the snoozed chats. */
export const BY_SNOOZE = 'snoozed_by_activity';
/** Partial index of the chats that the assistant has. */
const BY_ASSISTANT = 'assisted_by_activity';
/** Partial index of the chats with tags. On an array field, the databases do not all find it by themselves. */
export const BY_TAG = 'by_tag';

/**
 * The index for a list with these conditions: partial ones have only a few of many chats, which a scan by activity would
 * find slowly. Undefined: the store chooses.
 */
export function listIndex({ status, claimedBy, unread, handed, tag, department }: ListConditions): string | undefined {
  if (status === 'snoozed') return BY_SNOOZE;
  if (status === 'assistant') return BY_ASSISTANT;
  if (unread) return 'unread_by_activity';
  if (handed) return 'handed_over';
  if (tag === undefined) return department === undefined || department === 'none' ? undefined : 'by_department';
  return claimedBy === undefined ? BY_TAG : 'by_tag_and_claimer';
}

const STATUSES: ChatStatus[] = ['waiting', 'active', 'closed'];

/** The filter for chats of a department, or (`none`) of no department that these sites still have. */
export function departmentFilter(sites: SiteDoc[], department: string | undefined): QueryFilter<ChatDoc> {
  if (department === undefined) return {};
  if (department !== 'none') return { department: new Types.ObjectId(department) };
  const all = sites.flatMap((site) => departmentsOf(site).map(({ _id }) => _id));
  return all.length > 0 ? { department: { $nin: all } } : {};
}

/** Builds the filter of a list. @param caller the user whom `me` means */
export function listFilter(
  { status = 'all', claimedBy, unread, handed, tag, department }: ListConditions,
  caller: Types.ObjectId,
  sites: SiteDoc[],
): QueryFilter<ChatDoc> {
  const isAwake = status === 'waiting' || status === 'active' || (unread && status === 'all');
  const isForPeople = status === 'waiting' || (unread && status === 'all');
  const partial = {
    ...(unread && { unread: { $gt: 0 } }),
    ...(handed && { handedBy: { $exists: true } }),
    ...(tag !== undefined && { tags: tag }),
    ...departmentFilter(sites, department),
    ...(status === 'snoozed' ? { snoozedUntil: { $exists: true } } : isAwake && { snoozedUntil: null }),
    ...(status === 'assistant' ? { assisted: true as const } : isForPeople && { assisted: null }),
  };
  const claimer = claimedBy === undefined ? {} : { claimedBy: claimerOf(claimedBy, caller) };
  if (status === 'snoozed' || status === 'assistant') return { ...claimer, ...partial };
  const isOfDepartment = department !== undefined && department !== 'none';
  if (claimedBy === undefined && tag === undefined && !isOfDepartment)
    return { ...(status !== 'all' && { status }), ...partial };
  // Lists every status by name, so that one index gives the order for all of them.
  return { ...claimer, status: status === 'all' ? { $in: STATUSES } : status, ...partial };
}

function claimerOf(claimedBy: string, caller: Types.ObjectId): Types.ObjectId | null {
  if (claimedBy === 'none') return null;
  return claimedBy === 'me' ? caller : new Types.ObjectId(claimedBy);
}

/** The times that lists of chats are ordered by, newest first. */
type OrderedBy = 'lastActivity' | 'createdAt';

/**
 * A page of chats in the order of a time, newest first.
 * @param within adds the list's own filter to that of the query's cursor
 * @param index the index to use; left out: the store chooses
 * @throws AppError 400 for an invalid cursor
 */
export async function readByTime(
  order: OrderedBy,
  query: PageQuery,
  within: (behind: QueryFilter<ChatDoc>) => QueryFilter<ChatDoc>,
  index?: string,
): Promise<PageOf<ChatDoc>> {
  const filter = within(query.cursor === undefined ? {} : filterBehind(order, query.cursor));
  const find = (limit: number) => {
    const found = ChatModel.find(filter)
      .sort({ [order]: -1, _id: -1 })
      .limit(limit)
      .lean<ChatDoc[]>();
    return index === undefined ? found : found.hint(index);
  };
  return readPage(query, find, (chat) => timeCursor(chat[order], chat._id.toHexString()));
}

/** The filter for all chats behind a cursor: the index covers the range, the id breaks ties. */
function filterBehind(order: OrderedBy, cursor: string): QueryFilter<ChatDoc> {
  const { at, id } = timeBehind(cursor);
  return { [order]: { $lte: at }, $or: [{ [order]: { $lt: at } }, { _id: { $lt: id } }] };
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
  const { items, nextCursor } = await readPage(
    { limit },
    (most) =>
      MessageModel.find({ chat, ...(forward || before !== undefined ? { seq } : {}) })
        .sort({ seq: forward ? 1 : -1 })
        .limit(most)
        .lean<MessageDoc[]>(),
    (message) => String(message.seq),
  );
  return { messages: forward ? items : items.reverse(), more: nextCursor !== null };
}

/** Where changed messages are looked for: in one chat, or in all of a visitor. */
interface ChangesIn {
  visitor: Types.ObjectId;
  chat?: Types.ObjectId;
  /** The newest change that is known; later ones may be stored. */
  lastEdit: number | undefined;
}

/**
 * Reads the messages that were changed after a change, oldest change first. It costs a query only if there are any.
 * @param after left out: only tells which change is the newest
 */
export async function readChanges(
  { visitor, chat, lastEdit = 0 }: ChangesIn,
  after = lastEdit,
): Promise<{ edited: MessageDoc[]; lastEdit: number }> {
  if (after >= lastEdit) return { edited: [], lastEdit };
  const edited = await MessageModel.find({ visitor, edit: { $gt: after }, ...(chat && { chat }) })
    .sort({ edit: 1 })
    .limit(CHANGES_MAX)
    .lean<MessageDoc[]>();
  const last = edited.at(-1)?.edit ?? 0;
  return { edited, lastEdit: edited.length < CHANGES_MAX ? Math.max(last, lastEdit) : last };
}

/** The store's time in milliseconds: rows are dated by the store's clock, not by this machine's. */
export async function storeTime(): Promise<number> {
  const hello = await ChatModel.db.db?.command({ hello: 1 });
  return new Date(hello?.localTime ?? Date.now()).getTime();
}

/** Rows changed since a time, oldest change first. It reads one more than a `sync` may answer, to detect too many. */
export async function changedSince(sites: SiteDoc[], since: Date): Promise<ChatDoc[]> {
  await rowsWritten(sites);
  const ofSites = { site: { $in: sites.map(({ _id }) => _id) }, bot: false };
  return ChatModel.find({ ...ofSites, ...HAS_MESSAGES, updatedAt: { $gte: since } })
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

/** Number of active chats of a site without those of bots and snoozed ones, counted on the keys of indexes. */
export async function countActive(site: Types.ObjectId): Promise<number> {
  const active = { site, bot: false, status: 'active' as const };
  const snoozed = { ...active, snoozedUntil: { $exists: true } };
  const [all, asleep] = await Promise.all([
    ChatModel.countDocuments(active),
    ChatModel.countDocuments(snoozed).hint(BY_SNOOZE),
  ]);
  return Math.max(0, all - asleep);
}

/** Partial index of waiting chats only, forced even where another index would match the filter. */
export const BY_WAIT = 'waiting_for_answer';
/** Marks the cursors of the waiting part of the list; the others are cursors of `listChats`. */
const WAITING = 'w';
/** The cursor of the first chat that does not wait. */
const REST = 'rest';

type WaitingChat = ChatDoc & { waitingSince: Date };

/**
 * Chats of some sites, without those of bots: first those whose visitor waits for an answer, longest wait first; then
 * the others, newest activity first.
 * @param filter further conditions
 * @throws AppError 400 for an invalid cursor
 */
export async function listByWait(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  query: PageQuery,
): Promise<PageOf<ChatDoc>> {
  await rowsWritten(sites);
  const { limit = PAGE_LIMIT_DEFAULT, cursor } = query;
  const rest = { ...filter, waitingSince: null };
  if (cursor !== undefined && !cursor.startsWith(WAITING)) {
    return listChats(sites, rest, { limit, ...(cursor !== REST && { cursor }) });
  }
  const waiting = await readPage(
    query,
    (most) =>
      ChatModel.find(waitingFilter(sites, filter, cursor?.slice(WAITING.length)))
        .sort({ waitingSince: 1, _id: 1 })
        .hint(BY_WAIT)
        .limit(most)
        .lean<WaitingChat[]>(),
    ({ waitingSince, _id }) => WAITING + timeCursor(waitingSince, _id.toHexString()),
  );
  if (waiting.nextCursor !== null) return waiting;
  if (waiting.items.length === limit) return { ...waiting, nextCursor: REST };
  const others = await listChats(sites, rest, { limit: limit - waiting.items.length });
  return { items: [...waiting.items, ...others.items], nextCursor: others.nextCursor };
}

/** The filter of the first part of `listByWait`: the index covers the range, the id breaks ties. */
export function waitingFilter(
  sites: SiteDoc[],
  filter: QueryFilter<ChatDoc>,
  cursor: string | undefined,
): QueryFilter<ChatDoc> {
  const ofSites = { ...filter, site: { $in: sites.map(({ _id }) => _id) }, bot: false };
  if (cursor === undefined) return { ...ofSites, waitingSince: { $exists: true } };
  const { at, id } = timeBehind(cursor);
  return { ...ofSites, waitingSince: { $gte: at }, $or: [{ waitingSince: { $gt: at } }, { _id: { $gt: id } }] };
}
