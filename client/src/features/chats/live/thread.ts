import type { Query, QueryClient } from '@tanstack/react-query';
import type {
  MessageChanges,
  MessagePage,
  Note,
  Receipt,
  Receipts,
  StaffMessage,
  VisitorPresence,
} from 'server/contract';
import { keys } from '../../../lib/query.ts';

/** One chat's messages, notes and receipts, as far as they are loaded. */
export interface Thread {
  /** Ascending by `seq` and without gaps: all that may be shown. */
  messages: readonly StaffMessage[];
  /** Messages after a gap; held back until `sync` has brought those that are missing. */
  ahead: readonly StaffMessage[];
  /** Whether the server has messages older than the first one held. */
  older: boolean;
  /** All changes of messages up to this one are included. A single event does not move it, because an earlier one may have been missed. */
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

const EMPTY: Thread = {
  messages: [],
  ahead: [],
  older: false,
  lastEdit: 0,
  notes: [],
  olderNotes: false,
  window: null,
  receipts: null,
  visitor: null,
};

/** A thread from its newest page of messages. */
export function startThread(page: MessagePage): Thread {
  const first = { ...EMPTY, messages: page.messages.slice(0, 1), older: page.more };
  return mergeChanges(mergeMessages(first, page.messages), page);
}

/** Adds the page of messages before the first one held. */
export function mergeOlder(thread: Thread, page: MessagePage): Thread {
  return { ...mergeMessages(thread, page.messages), older: page.more };
}

/** Opens the part of the thread around a message. */
export function openWindow(thread: Thread, { messages }: MessagePage): Thread {
  const [first] = messages;
  return joined({ ...thread, window: first ? { messages, older: first.seq > 1 } : null });
}

/** Goes back to the newest messages. */
export function closeWindow(thread: Thread): Thread {
  return thread.window ? { ...thread, window: null } : thread;
}

/** Adds the page of messages before, or after, those of the window. */
export function growWindow(thread: Thread, side: 'older' | 'newer', page: MessagePage): Thread {
  const { window } = thread;
  if (!window) return thread;
  const isNext = ({ seq }: StaffMessage) =>
    side === 'older' ? seq < (window.messages[0]?.seq ?? 0) : seq > (window.messages.at(-1)?.seq ?? 0);
  const added = page.messages.filter(isNext);
  const messages = side === 'older' ? [...added, ...window.messages] : [...window.messages, ...added];
  return joined({ ...thread, window: { messages, older: side === 'older' ? page.more : window.older } });
}

/** A window that reaches the newest part becomes a piece of it. */
function joined(thread: Thread): Thread {
  const { window, messages } = thread;
  const [end, start] = [window?.messages.at(-1)?.seq, messages[0]?.seq];
  if (!window || end === undefined || start === undefined || end + 1 < start) return thread;
  return { ...mergeMessages(thread, window.messages), older: window.older, window: null };
}

/** Whether the message with this seq is among those that are loaded as one part. */
export function isIn(messages: readonly StaffMessage[], seq: number): boolean {
  return seq >= (messages[0]?.seq ?? Number.POSITIVE_INFINITY) && seq <= (messages.at(-1)?.seq ?? 0);
}

/** The thread as it is shown: with the window in place of the newest messages. */
export function shownThread(thread: Thread): Thread {
  const { window, notes } = thread;
  if (!window) return thread;
  const end = window.messages.at(-1)?.timestamp ?? '';
  return { ...thread, ...window, notes: notes.filter(({ createdAt }) => createdAt <= end) };
}

/** How far a message of the user's own that the server has stored got. */
export function deliveryStateOf(seq: number, receipts: Receipts | null): 'sent' | 'delivered' | 'read' {
  if (!receipts) return 'sent';
  if (seq <= receipts.visitor.read) return 'read';
  return seq <= receipts.visitor.delivered ? 'delivered' : 'sent';
}

/** Adds the page of notes before the first one held. */
export function mergeOlderNotes(thread: Thread, page: { notes: readonly Note[]; more: boolean }): Thread {
  return { ...mergeNotes(thread, page.notes), olderNotes: page.more };
}

/** The notes to show: those older than the first message held are shown together with the messages of their time. */
export function visibleNotes({ notes, messages, older }: Thread): readonly Note[] {
  const start = messages[0]?.timestamp;
  return older && start !== undefined ? notes.filter(({ createdAt }) => createdAt >= start) : notes;
}

/** The id of the note before which the next page of notes has to be loaded; null while none is missing on the screen. */
export function olderNotesCursor({ notes, olderNotes, messages }: Thread): string | null {
  const [first] = notes;
  const start = messages[0]?.timestamp;
  return olderNotes && first && start !== undefined && first.createdAt > start ? first._id : null;
}

/** The prefix of all threads in the cache. */
const THREADS = keys.thread('').slice(0, 1);
type Change = (thread: Thread) => Thread;

/** Events of threads whose first page is still loading: the server may have read that page before they happened. */
const earlyChanges = new WeakMap<Query, Change[]>();

/** Changes a thread in the cache, or one that is loading; a thread that nobody has opened is left alone. */
export function patchThread(client: QueryClient, chatId: string, change: Change): Thread | undefined {
  const query = client.getQueryCache().find({ queryKey: keys.thread(chatId) });
  if (query?.state.fetchStatus === 'fetching' && query.state.data === undefined) {
    earlyChanges.set(query, [...(earlyChanges.get(query) ?? []), change]);
  }
  return client.setQueryData<Thread>(keys.thread(chatId), (thread) => thread && change(thread));
}

/** The changes that arrived while the thread's first page was loading, in order; they are forgotten here. */
export function takeEarlyChanges(client: QueryClient, chatId: string): Change[] {
  const query = client.getQueryCache().find({ queryKey: keys.thread(chatId) });
  const changes = (query && earlyChanges.get(query)) ?? [];
  if (query) earlyChanges.delete(query);
  return changes;
}

/** Changes every thread in the cache. */
export function patchThreads(client: QueryClient, change: Change): void {
  client.setQueriesData<Thread>({ queryKey: THREADS }, (thread) => thread && change(thread));
}

/** The threads that are on a screen right now. */
export function openThreads(client: QueryClient): { chatId: string; thread: Thread }[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: THREADS, type: 'active' })
    .flatMap(({ queryKey, state }) =>
      state.data ? [{ chatId: String(queryKey[1]), thread: state.data as Thread }] : [],
    );
}

/** Whether the chat's thread is on a screen right now. */
export function isThreadOpen(client: QueryClient, chatId: string): boolean {
  return client.getQueryCache().findAll({ queryKey: keys.thread(chatId), type: 'active' }).length > 0;
}
