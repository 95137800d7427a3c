import type { Chat, Site, User } from 'server/contract';

/** How often the sound is repeated for a waiting chat. */
export const RING_EVERY_MS = 30_000;
/** From then on, a waiting chat is also shown as a desktop notification. */
const NOTICE_AFTER_MS = 60_000;
/** From then on the server sends mails instead. */
const SILENT_AFTER_MS = 5 * 60_000;

interface Listener {
  user: User;
  sites: readonly Site[];
}

/** Whether to notify this user of a chat: they may answer it, and nobody else has claimed it, the assistant included. */
export function isRelevant({ user, sites }: Listener, siteId: string, chat: Chat | undefined): boolean {
  const role = sites.find((site) => site._id === siteId)?.role;
  if (role === undefined || role === 'viewer' || chat?.assistant?.active) return false;
  return chat?.claimedBy ? chat.claimedBy._id === user._id : user.available;
}

/** What to do about waiting chats, by how long they have waited. */
export interface Reminder {
  rings: boolean;
  /** For desktop notifications, if the dashboard is not in view. */
  notices: Chat[];
}

/** What to do about waiting chats now. @param now milliseconds */
export function reminderFor(listener: Listener, chats: readonly Chat[], now: number): Reminder {
  const waits = waitingChats(listener, chats).flatMap((chat) => {
    const waitedMs = now - Date.parse(chat.metadata.lastActivity);
    return waitedMs < SILENT_AFTER_MS ? [{ chat, waitedMs }] : [];
  });
  return {
    rings: waits.length > 0,
    notices: waits.filter(({ waitedMs }) => waitedMs >= NOTICE_AFTER_MS).map(({ chat }) => chat),
  };
}

/** The chats that wait for this user. They do until somebody answers or claims them; an assignment by the server does not count. */
export function waitingChats(listener: Listener, chats: readonly Chat[]): Chat[] {
  return chats.filter((chat) => isUnattended(chat) && isRelevant(listener, chat.site._id, chat));
}

function isUnattended({ status, assignedAt, snoozedUntil, assistant, blocked, lastSeq }: Chat): boolean {
  if (snoozedUntil || assistant?.active) return false;
  return (status === 'waiting' || (status === 'active' && assignedAt !== null)) && !blocked && lastSeq > 0;
}
