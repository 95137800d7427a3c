import type { InfiniteData } from '@tanstack/react-query';
import type { Chat, ChatListQuery, Page, PageQuery } from 'server/contract';

/** Which chats a list shows: what the server is asked for, with a user's id in place of `me`. */
export interface ChatFilter extends Omit<ChatListQuery, keyof PageQuery> {
  status: NonNullable<ChatListQuery['status']>;
  /** A site's id; left out: the chats of all sites. */
  site?: string;
}

export type ChatPage = { chats: Chat[] } & Page;
/** A list of chats as the query cache holds it. */
export type ChatPages = InfiniteData<ChatPage, string | undefined>;
export type Comparator = (a: Chat, b: Chat) => number;

/** Whether a chat is in a list with this filter, apart from its search words: only the server can search. */
export function matchesFilter(
  chat: Chat,
  { status, site, claimedBy, unread, handed, tag, department }: ChatFilter,
): boolean {
  const isAssisted = chat.assistant?.active === true;
  if (unread && (chat.unread === 0 || (status === 'all' && (chat.snoozedUntil || isAssisted)))) return false;
  if (handed && chat.handedBy === null) return false;
  if (status === 'assistant' ? !isAssisted : status !== 'all' && !isListed(chat, status)) return false;
  if (tag !== undefined && !chat.tags.includes(tag)) return false;
  if (department !== undefined && department !== (chat.department?._id ?? 'none')) return false;
  if (claimedBy !== undefined && claimedBy !== (chat.claimedBy?._id ?? 'none')) return false;
  return !site || site === chat.site._id;
}

/** A snoozed chat is in no other list of one status; one that the assistant has waits for nobody. */
function isListed({ status, snoozedUntil, assistant }: Chat, wanted: ChatFilter['status']): boolean {
  return wanted === (snoozedUntil ? 'snoozed' : status) && !(wanted === 'waiting' && assistant?.active);
}

/** The order of a list. */
export function comparatorOf({ sort, search }: ChatFilter): Comparator {
  if (search) return byCreation;
  return sort === 'waiting' ? byWaiting : byActivity;
}

/** The rows of all loaded pages without duplicates: a chat that moved between two page loads is in both. */
export function flattenPages({ pages }: ChatPages, compare: Comparator): Chat[] {
  const newest = new Map<string, Chat>();
  for (const chat of pages.flatMap((page) => page.chats)) {
    const held = newest.get(chat._id);
    if (!held || held.rev < chat.rev) newest.set(chat._id, chat);
  }
  return [...newest.values()].sort(compare);
}

/**
 * Puts a chat into a loaded list at its place, or takes it out where the filter no longer matches. A chat with a lower
 * `rev` than the one held is stale and changes nothing.
 */
export function upsertChat(list: ChatPages, filter: ChatFilter, chat: Chat): ChatPages {
  const held = list.pages.flatMap((page) => page.chats).find((row) => row._id === chat._id);
  if (held && held.rev > chat.rev) return list;
  const without = list.pages.map((page) => ({ ...page, chats: page.chats.filter((row) => row._id !== chat._id) }));
  if (!matchesFilter(chat, filter)) return held ? { ...list, pages: without } : list;
  if (filter.search && !held) return list;
  return { ...list, pages: inserted(without, chat, comparatorOf(filter)) };
}

/** Takes rows out of a loaded list. */
export function removeRows(list: ChatPages, isGone: (chat: Chat) => boolean): ChatPages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, chats: page.chats.filter((row) => !isGone(row)) })) };
}

function inserted(pages: ChatPage[], chat: Chat, compare: Comparator): ChatPage[] {
  for (const [index, page] of pages.entries()) {
    const at = page.chats.findIndex((row) => compare(chat, row) < 0);
    if (at >= 0) return pages.with(index, { ...page, chats: page.chats.toSpliced(at, 0, chat) });
  }
  const last = pages.at(-1);
  // Its place is after all loaded rows: if there are more pages, it comes with one of them.
  if (!last || last.nextCursor) return pages;
  return pages.with(-1, { ...last, chats: [...last.chats, chat] });
}

/** Newest activity first. */
export function byActivity(a: Chat, b: Chat): number {
  const [left, right] = [a.metadata.lastActivity, b.metadata.lastActivity];
  return left === right ? byCreation(a, b) : left < right ? 1 : -1;
}

function byWaiting(a: Chat, b: Chat): number {
  const [left, right] = [a.waitingSince, b.waitingSince];
  if (left === null || right === null) return left === right ? byActivity(a, b) : left === null ? 1 : -1;
  return left === right ? -byCreation(a, b) : left < right ? -1 : 1;
}

/** Newest first: an ObjectId begins with the time it was made at. */
function byCreation(a: Chat, b: Chat): number {
  return a._id === b._id ? 0 : a._id < b._id ? 1 : -1;
}
