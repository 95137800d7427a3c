import type { MessageChanges, Note, Receipt, Receipts, StaffMessage, VisitorPresence } from 'server/contract';

/** One chat's messages, notes and receipts, as far as they are loaded. */
export interface Thread {
  /** Ascending by `seq` and without gaps: all that may be shown. */
  messages: readonly StaffMessage[];
  /** Messages after a gap; held back until `sync` has brought those that are missing. */
  ahead: readonly StaffMessage[];
  /** Whether the server has messages older than the first one held. */
  older: boolean;
  /** All changes of messages up to this one are included. An event moves it not: one before it may have been missed. */
  lastEdit: number;
  /** The team's notes, ascending by time: the newest ones, as far back as they were loaded. */
  notes: readonly Note[];
  /** Whether the server may have notes older than the first one held. */
  olderNotes: boolean;
  /** The part around a message that was searched for, until it joins `messages`. */
  window: ThreadWindow | null;
  /** `null` until the socket has sent them. */
  receipts: Receipts | null;
  visitor: VisitorPresence | null;
}

/** A part of a long thread, without gaps. */
export interface ThreadWindow {
  messages: readonly StaffMessage[];
  /** Whether the server has messages older than these. */
  older: boolean;
}

/** The seq up to which no message is missing; 0 when there is none. */
export function lastSeq(thread: Thread): number {
  return thread.messages.at(-1)?.seq ?? 0;
}

/**
 * Adds messages, in whatever order and however often they arrive. Idempotent: each `seq` is added once. Only
 * what joins the messages held without a gap, downwards or upwards, goes into `messages`; the rest waits in `ahead`.
 */
export function mergeMessages(thread: Thread, incoming: readonly StaffMessage[]): Thread {
  const bySeq = new Map<number, StaffMessage>();
  for (const message of [...thread.messages, ...thread.ahead, ...incoming]) {
    if (!bySeq.has(message.seq)) bySeq.set(message.seq, message);
  }
  if (bySeq.size === thread.messages.length + thread.ahead.length) return thread;

  let first = thread.messages[0]?.seq ?? 1;
  while (bySeq.has(first - 1)) first -= 1;
  const messages: StaffMessage[] = [];
  for (let message = bySeq.get(first); message; message = bySeq.get(message.seq + 1)) messages.push(message);
  const end = messages.at(-1)?.seq ?? 0;
  const ahead = [...bySeq.values()].filter((message) => message.seq > end).sort((a, b) => a.seq - b.seq);
  return { ...thread, messages, ahead };
}

/** Replaces messages held by their newer state. Others are not added. */
export function mergeChanges(thread: Thread, { edited = [], lastEdit = 0 }: MessageChanges<StaffMessage>): Thread {
  const next = { ...thread, lastEdit: Math.max(thread.lastEdit, lastEdit) };
  // The same arrays where nothing is new: the timeline is made of them.
  if (edited.length === 0) return next;
  const newest = (held: StaffMessage) =>
    edited.find(({ seq, edit = 0 }) => seq === held.seq && edit > (held.edit ?? 0)) ?? held;
  const { messages, window } = thread;
  return {
    ...next,
    messages: messages.map(newest),
    window: window && { ...window, messages: window.messages.map(newest) },
  };
}

/** Adds receipts, in whatever order they arrive: they only ever move forward. */
export function mergeReceipts(thread: Thread, incoming: Partial<Receipts>): Thread {
  const held = thread.receipts ?? { visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } };
  const visitor = furthest(held.visitor, incoming.visitor);
  const staff = furthest(held.staff, incoming.staff);
  return { ...thread, receipts: { visitor, staff } };
}

function furthest(a: Receipt, b: Receipt | undefined): Receipt {
  if (!b) return a;
  return { delivered: Math.max(a.delivered, b.delivered), read: Math.max(a.read, b.read) };
}

/**
 * Adds notes, in whatever order and however often they arrive.
 * @param newest given where these are the chat's newest page: whether there are older notes
 */
export function mergeNotes(thread: Thread, incoming: readonly Note[], newest?: { more: boolean }): Thread {
  const held = new Set(thread.notes.map(({ _id }) => _id));
  const added = incoming.filter(({ _id }) => !held.has(_id));
  const isFirst = thread.notes.length === 0;
  // None of a whole page was held: there may be a gap below it, so the notes held are dropped.
  const hasGap = newest?.more === true && added.length === incoming.length;
  const olderNotes = newest && (isFirst || hasGap) ? newest.more : thread.olderNotes;
  if (added.length === 0) return olderNotes === thread.olderNotes ? thread : { ...thread, olderNotes };
  return { ...thread, notes: [...(hasGap ? [] : thread.notes), ...added].sort(byTime), olderNotes };
}

function byTime(a: Note, b: Note): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a._id < b._id ? -1 : 1;
}
