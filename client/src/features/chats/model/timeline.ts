import type { Note, StaffMessage, User } from 'server/contract';
import type { Outgoing } from '../outbox/outbox.ts';
import type { Upload } from '../outbox/uploads.ts';

const MINUTE_MS = 60_000;

/** One message as it is drawn: held by the server, or still on its way. */
export type Bubble = { key: string; content: string } & (
  | { message: StaffMessage; outgoing?: undefined }
  | { outgoing: Outgoing | Upload; message?: undefined }
);

/** Neighbouring messages of one author within one minute. */
export interface Group {
  kind: 'group';
  key: string;
  side: 'visitor' | 'staff';
  /** Tells authors of the same name apart. */
  by: string;
  /** Written by the user who looks at it. */
  own: boolean;
  author: string | null;
  avatar: string | null;
  at: string;
  bubbles: Bubble[];
}

/** A note of the team: held by the server, or still on its way. */
export interface NoteEntry {
  kind: 'note';
  key: string;
  at: string;
  /** None: the user who looks at it. */
  author: string | null;
  content: string;
  outgoing: Outgoing | null;
}

/** A line about the chat: for both sides, or, where a note says it, for the team only. */
interface SystemEntry {
  kind: 'system';
  key: string;
  at: string;
  content: string;
}

export type Entry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'fresh'; key: string }
  | SystemEntry
  | Group
  | NoteEntry;

/** What is laid out: a note, a line of the team's, or a message with the head that its group gets if it begins one. */
type Item = NoteEntry | SystemEntry | { kind: 'message'; at: string; head: Omit<Group, 'bubbles'>; bubble: Bubble };

/** What a thread is made of; messages and notes ascending. */
interface Parts {
  messages: readonly StaffMessage[];
  notes: readonly Note[];
  /** What the server does not hold yet; one whose echo has arrived is not drawn twice. */
  outgoing: readonly (Outgoing | Upload)[];
}

/**
 * Lays a thread out: a line per day, messages grouped by author and minute, notes between them by their time, system
 * messages apart, and the 'new messages' line before the first visitor message after `freshAfter`.
 */
export function timelineOf({ messages, notes, outgoing }: Parts, user: User, freshAfter: number | null): Entry[] {
  const echoed = new Set([
    ...messages.filter((each) => each.senderId === user._id).map((each) => each.clientId),
    ...notes.filter((each) => each.author._id === user._id).map((each) => each.clientId),
  ]);
  const waiting = outgoing.filter(({ clientId }) => !echoed.has(clientId)).map((each) => outgoingItem(each, user));
  const held = byTime(
    messages.map((message) => heldItem(message, user)),
    notes.map((note) => noteItem(note, user)),
  );
  const entries: Entry[] = [];
  let day = '';
  let fresh = freshAfter;
  for (const item of [...held, ...waiting]) {
    if (dayOf(item.at) !== day) {
      day = dayOf(item.at);
      entries.push({ kind: 'day', key: `day ${day}`, at: item.at });
    }
    if (fresh !== null && isFresh(item, fresh)) {
      // With nothing above it the line would tell nothing.
      if (entries.length > 1) entries.push({ kind: 'fresh', key: 'fresh' });
      fresh = null;
    }
    place(entries, item);
  }
  return entries;
}

function isFresh(item: Item, after: number): boolean {
  return item.kind === 'message' && item.bubble.message?.sender === 'visitor' && item.bubble.message.seq > after;
}

function place(entries: Entry[], item: Item): void {
  if (item.kind !== 'message') {
    entries.push(item);
    return;
  }
  const { head, bubble } = item;
  if (bubble.message?.sender === 'system') {
    entries.push({ kind: 'system', key: head.key, at: head.at, content: bubble.content });
    return;
  }
  const last = entries.at(-1);
  const fits = last?.kind === 'group' && last.by === head.by && minuteOf(last.at) === minuteOf(head.at);
  if (fits) last.bubbles.push(bubble);
  else entries.push({ ...head, bubbles: [bubble] });
}

/** Puts each note where its time is; the order of the messages is the server's, whatever their times say. */
function byTime(messages: readonly Item[], notes: readonly Item[]): Item[] {
  const items: Item[] = [];
  let next = 0;
  for (const message of messages) {
    for (let note = notes[next]; note && note.at < message.at; note = notes[next]) {
      items.push(note);
      next += 1;
    }
    items.push(message);
  }
  return [...items, ...notes.slice(next)];
}

function heldItem(message: StaffMessage, user: User): Item {
  const own = message.senderId === user._id;
  const side = message.sender === 'visitor' ? 'visitor' : 'staff';
  // An own message keeps its key when the server confirms it, so that the bubble is not drawn anew.
  const key = own ? message.clientId : message._id;
  const { timestamp: at, senderName: author, senderAvatar: avatar } = message;
  const by = `${side}:${message.senderId ?? ''}`;
  return {
    kind: 'message',
    at,
    head: { kind: 'group', key, side, by, own, author, avatar, at },
    bubble: { key, content: message.content, message },
  };
}

function noteItem({ _id, clientId, createdAt, author, content, event }: Note, user: User): Item {
  if (event) return { kind: 'system', key: _id, at: createdAt, content };
  const own = author._id === user._id;
  const key = own ? clientId : _id;
  return { kind: 'note', key, at: createdAt, author: own ? null : author.name, content, outgoing: null };
}

function outgoingItem(outgoing: Outgoing | Upload, user: User): Item {
  const { clientId: key, content } = outgoing;
  const at = new Date(outgoing.at).toISOString();
  if (outgoing.note) return { kind: 'note', key, at, author: null, content, outgoing };
  const { name: author, avatar } = user;
  const by = `staff:${user._id}`;
  return {
    kind: 'message',
    at,
    head: { kind: 'group', key, side: 'staff', by, own: true, author, avatar, at },
    bubble: { key, content, outgoing },
  };
}

function dayOf(at: string): string {
  return new Date(at).toDateString();
}

function minuteOf(at: string): number {
  return Math.floor(Date.parse(at) / MINUTE_MS);
}
