import { type Chat, OVERVIEW_RECENT } from 'server/contract';

/** Rows of the list while it is on the screen; the server answers with `OVERVIEW_RECENT`. */
const RECENT_MAX = 10;

/** Puts a chat as it is now into the list, newest activity first; a stale row changes nothing. */
export function placeRecent(recent: readonly Chat[], chat: Chat): Chat[] {
  const held = recent.find(({ _id }) => _id === chat._id);
  if (held && held.rev > chat.rev) return [...recent];
  return newestFirst([chat, ...recent.filter(({ _id }) => _id !== chat._id)]);
}

/** Takes a chat that is gone for good out of the list. */
export function withoutChat(recent: readonly Chat[], chatId: string): Chat[] {
  return recent.filter(({ _id }) => _id !== chatId);
}

/**
 * The list after the server was asked again. What it names is the newest; of what the list has gathered since, only
 * older rows can still be true.
 */
export function mergeRecent(held: readonly Chat[], fresh: readonly Chat[]): Chat[] {
  const oldest = fresh.at(-1)?.metadata.lastActivity;
  if (fresh.length < OVERVIEW_RECENT || oldest === undefined) return newestFirst(fresh);
  const newest = fresh.map((chat) => held.find(({ _id, rev }) => _id === chat._id && rev > chat.rev) ?? chat);
  const known = new Set(fresh.map(({ _id }) => _id));
  const older = held.filter(({ _id, metadata }) => !known.has(_id) && metadata.lastActivity <= oldest);
  return newestFirst([...newest, ...older]);
}

function newestFirst(chats: readonly Chat[]): Chat[] {
  return chats.toSorted((a, b) => b.metadata.lastActivity.localeCompare(a.metadata.lastActivity)).slice(0, RECENT_MAX);
}
