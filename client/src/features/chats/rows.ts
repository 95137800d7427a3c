import type { InfiniteData } from '@tanstack/react-query';
import type { Chat, ChatStatus, Page } from 'server/contract';

/** Which chats a list shows. */
export interface ChatFilter {
  status: ChatStatus | 'all';
  /** A site's id; none: the chats of all sites. */
  site?: string;
}

export type ChatPage = { chats: Chat[] } & Page;
export type ChatPages = InfiniteData<ChatPage, string | undefined>;

/** Whether a list with this filter shows the chat. */
export function belongs(chat: Chat, filter: ChatFilter): boolean {
  return (filter.status === 'all' || filter.status === chat.status) && (!filter.site || filter.site === chat.site._id);
}

/** All rows of the loaded pages, each once: a chat that moved between two page loads is in both. */
export function flatten(pages: ChatPages): Chat[] {
  const newest = new Map<string, Chat>();
  for (const chat of pages.pages.flatMap((page) => page.chats)) {
    const held = newest.get(chat._id);
    if (!held || held.rev < chat.rev) newest.set(chat._id, chat);
  }
  return [...newest.values()].sort(byActivity);
}

/**
 * Puts a row where it belongs in a loaded list, newest activity first: moved, added, or taken out when the filter no
 * longer fits. A row with a lower `rev` than the one held is stale and changes nothing.
 */
export function placeChat(pages: ChatPages, filter: ChatFilter, chat: Chat): ChatPages {
  const held = pages.pages.flatMap((page) => page.chats).find((row) => row._id === chat._id);
  if (held && held.rev > chat.rev) return pages;
  const without = pages.pages.map((page) => ({ ...page, chats: page.chats.filter((row) => row._id !== chat._id) }));
  if (!belongs(chat, filter)) return held ? { ...pages, pages: without } : pages;
  return { ...pages, pages: inserted(without, chat) };
}

function inserted(pages: ChatPage[], chat: Chat): ChatPage[] {
  for (const [index, page] of pages.entries()) {
    const at = page.chats.findIndex((row) => byActivity(chat, row) < 0);
    if (at >= 0) return pages.with(index, { ...page, chats: page.chats.toSpliced(at, 0, chat) });
  }
  const last = pages.at(-1);
  // Older than everything loaded: it comes with a later page, if there is one.
  if (!last || last.nextCursor) return pages;
  return pages.with(-1, { ...last, chats: [...last.chats, chat] });
}

function byActivity(a: Chat, b: Chat): number {
  const [left, right] = [a.metadata.lastActivity, b.metadata.lastActivity];
  if (left === right) return a._id < b._id ? 1 : -1;
  return left < right ? 1 : -1;
}

/** Whether anybody may still take the chat: neither closed nor somebody's. */
export function claimable(chat: Chat): boolean {
  return chat.status !== 'closed' && !chat.claimedBy;
}

/** The row as it will be once the claim is through. */
export function claimed(chat: Chat, by: { _id: string; name: string }): Chat {
  return { ...chat, status: 'active', claimedBy: { _id: by._id, name: by.name } };
}
