import type { MessagePage, Note, Receipt, Receipts, StaffMessage, VisitorPresence } from 'server/contract';

/** What is known of one conversation. */
export interface Thread {
  /** Ascending and without holes: all that may be shown. */
  messages: readonly StaffMessage[];
  /** Arrived ahead of a hole; held back until `sync` fills it. */
  ahead: readonly StaffMessage[];
  /** Whether the server has messages older than the first one held. */
  older: boolean;
  /** The team's own, ascending: of the chat's end, as far back as they were read. */
  notes: readonly Note[];
  /** Whether the server may have notes older than the first one held. */
  olderNotes: boolean;
  /** `null` until the socket has told them. */
  receipts: Receipts | null;
  visitor: VisitorPresence | null;
}

const EMPTY: Thread = {
  messages: [],
  ahead: [],
  older: false,
  notes: [],
  olderNotes: false,
  receipts: null,
  visitor: null,
};

/** A thread from its newest page. */
export function startThread(page: MessagePage): Thread {
  return mergeMessages({ ...EMPTY, messages: page.messages.slice(0, 1), older: page.more }, page.messages);
}

/** The seq up to which nothing is missing; 0 when there is nothing. */
export function lastSeq(thread: Thread): number {
  return thread.messages.at(-1)?.seq ?? 0;
}

/**
 * Takes messages in whatever order and however often they come. Sorts by `seq`, keeps the first of each, and shows
 * only what joins the stretch already held, downwards and upwards.
 */
export function mergeMessages(thread: Thread, incoming: readonly StaffMessage[]): Thread {
  const known = new Map<number, StaffMessage>();
  for (const message of [...thread.messages, ...thread.ahead, ...incoming]) {
    if (!known.has(message.seq)) known.set(message.seq, message);
  }
  if (known.size === thread.messages.length + thread.ahead.length) return thread;

  const anchor = thread.messages[0]?.seq ?? 1;
  let first = anchor;
  while (known.has(first - 1)) first -= 1;
  const messages: StaffMessage[] = [];
  for (let message = known.get(first); message; message = known.get(message.seq + 1)) messages.push(message);
  const end = messages.at(-1)?.seq ?? 0;
  const ahead = [...known.values()].filter((message) => message.seq > end).sort((a, b) => a.seq - b.seq);
  return { ...thread, messages, ahead };
}

/** Takes a page of older messages; its `more` tells whether there are older ones still. */
export function mergeOlder(thread: Thread, page: MessagePage): Thread {
  return { ...mergeMessages(thread, page.messages), older: page.more };
}

/** Receipts only ever move forward, whatever order they arrive in. */
export function mergeReceipts(thread: Thread, told: Partial<Receipts>): Thread {
  const held = thread.receipts ?? { visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } };
  return {
    ...thread,
    receipts: { visitor: furthest(held.visitor, told.visitor), staff: furthest(held.staff, told.staff) },
  };
}

function furthest(a: Receipt, b: Receipt | undefined): Receipt {
  if (!b) return a;
  return { delivered: Math.max(a.delivered, b.delivered), read: Math.max(a.read, b.read) };
}

/** How far an own message that the server holds has got. */
export function progressOf(seq: number, receipts: Receipts | null): 'sent' | 'delivered' | 'read' {
  if (!receipts) return 'sent';
  if (seq <= receipts.visitor.read) return 'read';
  return seq <= receipts.visitor.delivered ? 'delivered' : 'sent';
}
