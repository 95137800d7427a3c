import type { MessagePage, Note, Receipts, StaffMessage } from 'server/contract';
import { mergeChanges, mergeMessages, mergeNotes, type Thread } from './thread.ts';

// What only the screen of an open chat needs of a thread: kept out of the scripts that every screen loads.

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
