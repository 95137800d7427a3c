import type { Chat, Department, Site, User } from 'server/contract';
import { departmentInCharge, helpDueAt } from '#features/departments';

/** How often the sound is repeated for a waiting chat. */
export const RING_EVERY_MS = 30_000;
/** From then on, a waiting chat is also shown as a desktop notification. */
const NOTICE_AFTER_MS = 60_000;
/** From then on the server sends mails instead. */
const SILENT_AFTER_MS = 5 * 60_000;

interface Listener {
  user: User;
  sites: readonly Site[];
  /** Those of the sites of the chats that are asked about. */
  departments: readonly Department[];
}

/**
 * Whether to notify this user of a chat: they may answer it, nobody else has claimed it, the assistant included, and they are a
 * member of its department, unless others may help by now.
 * @param chat as far as it is known @param now milliseconds
 */
export function isRelevant(
  { user, sites, departments }: Listener,
  siteId: string,
  chat: Partial<Chat>,
  now: number,
): boolean {
  const role = sites.find((site) => site._id === siteId)?.role;
  if (role === undefined || role === 'viewer' || chat.assistant?.active) return false;
  if (chat.claimedBy) return chat.claimedBy._id === user._id;
  const department = departmentInCharge(departments, chat, now);
  return user.available && (!department || department.members.includes(user._id));
}

/** What to do about waiting chats, by how long they have waited. */
export interface Reminder {
  rings: boolean;
  /** For desktop notifications, if the dashboard is not in view. */
  notices: Chat[];
}

/** What to do about waiting chats now. @param now milliseconds */
export function reminderFor(listener: Listener, chats: readonly Chat[], now: number): Reminder {
  const waits = waitingChats(listener, chats, now).flatMap((chat) => {
    const waitedMs = now - waitsSince(listener, chat);
    return waitedMs < SILENT_AFTER_MS ? [{ chat, waitedMs }] : [];
  });
  return {
    rings: waits.length > 0,
    notices: waits.filter(({ waitedMs }) => waitedMs >= NOTICE_AFTER_MS).map(({ chat }) => chat),
  };
}

/** The chats that wait for this user. They do until somebody answers or claims them; an assignment by the server does not count. */
export function waitingChats(listener: Listener, chats: readonly Chat[], now: number): Chat[] {
  return chats.filter((chat) => isUnattended(chat) && isRelevant(listener, chat.site._id, chat, now));
}

/** When others may next help with one of the chats that wait for the members of a department, in milliseconds; null: never. */
export function nextHelpAt(departments: readonly Department[], chats: readonly Chat[], now: number): number | null {
  const times = chats.flatMap((chat) => {
    const department = isUnattended(chat) && departmentInCharge(departments, chat, now);
    return department && chat.department ? helpDueAt(department, chat.department) : [];
  });
  const first = Math.min(...times);
  return Number.isFinite(first) ? first : null;
}

/** Since when a chat waits for this user: also since it came to their department, or others may help. */
function waitsSince({ user, departments }: Listener, { department: of, metadata, claimedBy }: Chat): number {
  const written = Date.parse(metadata.lastActivity);
  const department = departments.find(({ _id }) => _id === of?._id);
  if (!of || !department || claimedBy) return written;
  const isOther = department.members.length > 0 && !department.members.includes(user._id);
  return Math.max(written, isOther ? helpDueAt(department, of) : Date.parse(of.since));
}

function isUnattended({ status, assignedAt, snoozedUntil, assistant, blocked, lastSeq }: Chat): boolean {
  if (snoozedUntil || assistant?.active) return false;
  return (status === 'waiting' || (status === 'active' && assignedAt !== null)) && !blocked && lastSeq > 0;
}
