import type { Chat, Site, User } from 'server/contract';

/** A waiting chat rings again so often. */
export const RING_EVERY_MS = 30_000;
/** From then on a waiting chat is worth a desktop notification, too. */
const NOTICE_AFTER_MS = 60_000;
/** From then on mail has taken over. */
const SILENT_AFTER_MS = 5 * 60_000;

/** Whose ears they are. */
interface Listener {
  user: User;
  sites: readonly Site[];
}

/** Whether news of a chat is for this person: somebody who may answer, and is not leaving it to whoever has claimed it. */
export function isRelevant({ user, sites }: Listener, siteId: string, chat: Chat | undefined): boolean {
  const role = sites.find((site) => site._id === siteId)?.role;
  if (role === undefined || role === 'viewer') return false;
  return chat?.claimedBy ? chat.claimedBy._id === user._id : user.available;
}

/** What is to be done about the chats whose visitors wait, by how long they have. */
export interface Reminder {
  rings: boolean;
  /** To be shown on the desktop, if nobody looks at the dashboard. */
  notices: Chat[];
}

/** Who still waits, until anybody claims by hand or answers; being assigned by the server is no reaction. */
export function reminderFor(listener: Listener, chats: readonly Chat[], now: number): Reminder {
  const waits = chats.flatMap((chat) => {
    const waitedMs = now - Date.parse(chat.metadata.lastActivity);
    const isDue = isUnattended(chat) && waitedMs < SILENT_AFTER_MS && isRelevant(listener, chat.site._id, chat);
    return isDue ? [{ chat, waitedMs }] : [];
  });
  return {
    rings: waits.length > 0,
    notices: waits.filter(({ waitedMs }) => waitedMs >= NOTICE_AFTER_MS).map(({ chat }) => chat),
  };
}

function isUnattended({ status, assignedAt, blocked, lastSeq }: Chat): boolean {
  return (status === 'waiting' || (status === 'active' && assignedAt !== null)) && !blocked && lastSeq > 0;
}
