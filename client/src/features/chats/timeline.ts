import type { StaffMessage, User } from 'server/contract';
import type { Outgoing } from './shelf.ts';

const MINUTE_MS = 60_000;

/** One message as it is drawn: held by the server, or still on its way. */
export type Bubble = { key: string; content: string } & (
  | { message: StaffMessage; outgoing?: undefined }
  | { outgoing: Outgoing; message?: undefined }
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

export type Entry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'fresh'; key: string }
  | { kind: 'system'; key: string; at: string; content: string }
  | Group;

/** A message with the head that its group gets if it begins one. */
interface Item {
  head: Omit<Group, 'bubbles'>;
  bubble: Bubble;
}

/**
 * Lays a thread out: a line per day, messages grouped by author and minute, system messages apart, and the 'new
 * messages' line before the first visitor message after `freshAfter`.
 * @param messages what the server holds, ascending
 * @param outgoing what it does not hold yet; one whose echo has arrived is not drawn twice
 */
export function timelineOf(
  messages: readonly StaffMessage[],
  outgoing: readonly Outgoing[],
  user: User,
  freshAfter: number | null,
): Entry[] {
  const echoed = new Set(messages.filter((each) => each.senderId === user._id).map((each) => each.clientId));
  const items = [
    ...messages.map((message) => heldItem(message, user)),
    ...outgoing.filter(({ clientId }) => !echoed.has(clientId)).map((each) => outgoingItem(each, user)),
  ];
  const entries: Entry[] = [];
  let day = '';
  let fresh = freshAfter;
  for (const { head, bubble } of items) {
    if (dayOf(head.at) !== day) {
      day = dayOf(head.at);
      entries.push({ kind: 'day', key: `day ${day}`, at: head.at });
    }
    if (fresh !== null && bubble.message?.sender === 'visitor' && bubble.message.seq > fresh) {
      // With nothing above it the line would tell nothing.
      if (entries.length > 1) entries.push({ kind: 'fresh', key: 'fresh' });
      fresh = null;
    }
    place(entries, { head, bubble });
  }
  return entries;
}

function place(entries: Entry[], { head, bubble }: Item): void {
  if (bubble.message?.sender === 'system') {
    entries.push({ kind: 'system', key: head.key, at: head.at, content: bubble.content });
    return;
  }
  const last = entries.at(-1);
  const fits = last?.kind === 'group' && last.by === head.by && minuteOf(last.at) === minuteOf(head.at);
  if (fits) last.bubbles.push(bubble);
  else entries.push({ ...head, bubbles: [bubble] });
}

function heldItem(message: StaffMessage, user: User): Item {
  const own = message.senderId === user._id;
  const side = message.sender === 'visitor' ? 'visitor' : 'staff';
  // An own message keeps its key when the server confirms it, so that the bubble is not drawn anew.
  const key = own ? message.clientId : message._id;
  return {
    head: {
      kind: 'group',
      key,
      side,
      by: `${side}:${message.senderId ?? ''}`,
      own,
      author: message.senderName,
      avatar: message.senderAvatar,
      at: message.timestamp,
    },
    bubble: { key, content: message.content, message },
  };
}

function outgoingItem(outgoing: Outgoing, user: User): Item {
  const key = outgoing.clientId;
  const at = new Date(outgoing.at).toISOString();
  const { name: author, avatar } = user;
  return {
    head: { kind: 'group', key, side: 'staff', by: `staff:${user._id}`, own: true, author, avatar, at },
    bubble: { key, content: outgoing.content, outgoing },
  };
}

function dayOf(at: string): string {
  return new Date(at).toDateString();
}

function minuteOf(at: string): number {
  return Math.floor(Date.parse(at) / MINUTE_MS);
}
