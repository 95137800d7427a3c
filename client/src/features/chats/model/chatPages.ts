import type { InfiniteData } from '@tanstack/react-query';
import type { Chat, ChatStatus, Claimer, Page } from 'server/contract';

/** Which chats a list shows. */
export interface ChatFilter {
  status: ChatStatus | 'all';
  /** A site's id; none: the chats of all sites. */
  site?: string;
  /** The user whose chats only are shown. */
  claimedBy?: string;
  /** Only chats with visitor messages that nobody has read. */
  unread?: true;
  /** Who has waited longest for an answer first; else newest activity first. */
  sort?: 'waiting';
  /** What the server looks for; it answers the latest begun first. */
  search?: string;
}

export type ChatPage = { chats: Chat[] } & Page;
export type ChatPages = InfiniteData<ChatPage, string | undefined>;

/** Whether a list with this filter shows the chat; of its words only the server knows. */
export function belongs(chat: Chat, { status, site, claimedBy, unread }: ChatFilter): boolean {
  if (unread && chat.unread === 0) return false;
  if (status !== 'all' && status !== chat.status) return false;
  return (!site || site === chat.site._id) && (!claimedBy || claimedBy === chat.claimedBy?._id);
}

/** Which of two rows comes first, as `sort` wants it: negative, the first one. */
export type Order = (a: Chat, b: Chat) => number;

/** The order of a list. */
export function orderOf({ sort, search }: ChatFilter): Order {
  if (search) return byBeginning;
  return sort === 'waiting' ? byWait : byActivity;
}

/** All rows of the loaded pages, each once: a chat that moved between two page loads is in both. */
export function flatten(pages: ChatPages, order: Order): Chat[] {
  const newest = new Map<string, Chat>();
  for (const chat of pages.pages.flatMap((page) => page.chats)) {
    const held = newest.get(chat._id);
    if (!held || held.rev < chat.rev) newest.set(chat._id, chat);
  }
  return [...newest.values()].sort(order);
}

/**
 * Puts a row where it belongs in a loaded list: moved, added, or taken out when the filter no longer fits. A row with a
 * lower `rev` than the one held is stale and changes nothing.
 */
export function placeChat(pages: ChatPages, filter: ChatFilter, chat: Chat): ChatPages {
  const held = pages.pages.flatMap((page) => page.chats).find((row) => row._id === chat._id);
  if (held && held.rev > chat.rev) return pages;
  const without = pages.pages.map((page) => ({ ...page, chats: page.chats.filter((row) => row._id !== chat._id) }));
  if (!belongs(chat, filter)) return held ? { ...pages, pages: without } : pages;
  if (filter.search && !held) return pages;
  return { ...pages, pages: inserted(without, chat, orderOf(filter)) };
}

/** Takes rows out of a loaded list. */
export function dropRows(pages: ChatPages, isGone: (chat: Chat) => boolean): ChatPages {
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, chats: page.chats.filter((row) => !isGone(row)) })) };
}

function inserted(pages: ChatPage[], chat: Chat, order: Order): ChatPage[] {
  for (const [index, page] of pages.entries()) {
    const at = page.chats.findIndex((row) => order(chat, row) < 0);
    if (at >= 0) return pages.with(index, { ...page, chats: page.chats.toSpliced(at, 0, chat) });
  }
  const last = pages.at(-1);
  // After everything loaded: it comes with a later page, if there is one.
  if (!last || last.nextCursor) return pages;
  return pages.with(-1, { ...last, chats: [...last.chats, chat] });
}

function byActivity(a: Chat, b: Chat): number {
  const [left, right] = [a.metadata.lastActivity, b.metadata.lastActivity];
  return left === right ? byBeginning(a, b) : left < right ? 1 : -1;
}

function byWait(a: Chat, b: Chat): number {
  const [left, right] = [a.waitingSince, b.waitingSince];
  if (left === null || right === null) return left === right ? byActivity(a, b) : left === null ? 1 : -1;
  return left === right ? -byBeginning(a, b) : left < right ? -1 : 1;
}

/** An id begins with the time it was made at. */
function byBeginning(a: Chat, b: Chat): number {
  return a._id === b._id ? 0 : a._id < b._id ? 1 : -1;
}

/** Whether anybody may still take the chat: neither closed nor somebody's. */
export function claimable(chat: Chat): boolean {
  return chat.status !== 'closed' && !chat.claimedBy;
}

/** The row as it will be once the claim or the transfer is through. */
export function claimed(chat: Chat, by: Claimer): Chat {
  return { ...chat, status: 'active', claimedBy: { _id: by._id, name: by.name }, assignedAt: null };
}

/** The row as it will be once it is back in the queue. */
export function handedBack(chat: Chat): Chat {
  return { ...chat, status: 'waiting', claimedBy: null, assignedAt: null };
}

/** The row as it will be once the chat is closed. */
export function closed(chat: Chat): Chat {
  return { ...chat, status: 'closed', waitingSince: null, closedAt: new Date().toISOString() };
}
