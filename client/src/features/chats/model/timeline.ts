import type { Note, StaffMessage, User } from 'server/contract';
import { formatDayTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { authorOf, systemText } from '../../../shared/messageWords.ts';

const MINUTE_MS = 60_000;

/** A message or note that the server has not confirmed yet. */
export interface Outgoing {
  /** The idempotency key: made once and kept through every retry. */
  clientId: string;
  chatId: string;
  content: string;
  /** Whether it is a note, which only the team sees. */
  note: boolean;
  /** The ids of the teammates whom a note mentions; left out: nobody. */
  mentions?: string[];
  /** When it was written or last asked to be tried again, in milliseconds; messages are sent in this order. */
  at: number;
  /** Why it was given up; null while it is still tried. */
  failed: string | null;
}

/** A picture that can be shown before the server has it: an object URL, and its size in pixels. */
export interface PicturePreview {
  url: string;
  width: number;
  height: number;
}

/** A file that the server has not confirmed yet: an outgoing message whose content is the file's name. */
export interface Upload extends Outgoing {
  file: File;
  picture: PicturePreview | null;
  /** How much of it is sent, 0 to 1. */
  progress: number;
}

/** One message as it is shown: stored by the server, or still unconfirmed. */
export type TimelineMessage = { key: string; content: string } & (
  | { message: StaffMessage; outgoing?: undefined }
  | { outgoing: Outgoing | Upload; message?: undefined }
);

/** Neighbouring messages of one author within one minute. */
export interface MessageGroup {
  kind: 'group';
  key: string;
  side: 'visitor' | 'staff';
  /** Tells authors of the same name apart. */
  authorKey: string;
  /** Whether the user wrote it. */
  own: boolean;
  /** Whether the assistant did. */
  automatic?: boolean;
  author: string | null;
  avatar: string | null;
  at: string;
  bubbles: TimelineMessage[];
}

/** A note of the team: stored by the server, or still unconfirmed. */
export interface NoteEntry {
  kind: 'note';
  key: string;
  at: string;
  /** `null`: the user. */
  author: string | null;
  content: string;
  /** Whom it mentions. */
  mentions: readonly Mentioned[];
  outgoing: Outgoing | null;
}

/** Somebody whom a note mentions. */
export interface Mentioned {
  name: string;
  /** Whether it is the user. */
  isUser: boolean;
}

const NOBODY: readonly Mentioned[] = [];

/** A line about what happened to the chat. */
interface SystemEntry {
  kind: 'system';
  key: string;
  at: string;
  content: string;
  /** It is the hand-over of the assistant. */
  isHandOver?: boolean;
}

export type TimelineEntry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'new'; key: string }
  | SystemEntry
  | MessageGroup
  | NoteEntry;

/** What is laid out: a note, a line, or a message with the group that it begins where it does not join the one above. */
type Item =
  | NoteEntry
  | SystemEntry
  | { kind: 'message'; at: string; group: Omit<MessageGroup, 'bubbles'>; bubble: TimelineMessage };

/** Messages and notes ascending. */
interface TimelineSource {
  messages: readonly StaffMessage[];
  notes: readonly Note[];
  /** What the server has not confirmed. One that is already among `messages` or `notes` is shown once. */
  outgoing: readonly (Outgoing | Upload)[];
}

/**
 * The entries of a thread: a line per day, messages grouped by author and minute, notes and system messages between them,
 * and the 'New messages' line above the first message of the visitor after `newAfter`.
 */
export function timelineOf(
  { messages, notes, outgoing }: TimelineSource,
  user: User,
  newAfter: number | null,
): TimelineEntry[] {
  const stored = new Set([
    ...messages.filter((each) => each.senderId === user._id).map((each) => each.clientId),
    ...notes.filter((each) => each.author._id === user._id).map((each) => each.clientId),
  ]);
  const unconfirmed = outgoing.filter(({ clientId }) => !stored.has(clientId)).map((each) => outgoingItem(each, user));
  const items = withNotes(
    messages.map((message) => messageItem(message, user)),
    notes.map((note) => noteItem(note, user)),
  );
  const entries: TimelineEntry[] = [];
  let day = '';
  let lineAfter = newAfter;
  for (const item of [...items, ...unconfirmed]) {
    if (dayOf(item.at) !== day) {
      day = dayOf(item.at);
      entries.push({ kind: 'day', key: `day ${day}`, at: item.at });
    }
    if (lineAfter !== null && isNew(item, lineAfter)) {
      // Where all messages are new, the line is left out.
      if (entries.length > 1) entries.push({ kind: 'new', key: 'new' });
      lineAfter = null;
    }
    const greeting = item.kind === 'message' && item.bubble.message?.greeting;
    if (greeting)
      entries.push({
        kind: 'system',
        key: `greeting ${item.at}`,
        at: item.at,
        content: t('Greeting: {greeting}', { greeting }),
      });
    append(entries, item);
  }
  return entries;
}

function isNew(item: Item, after: number): boolean {
  return item.kind === 'message' && item.bubble.message?.sender === 'visitor' && item.bubble.message.seq > after;
}

function append(entries: TimelineEntry[], item: Item): void {
  if (item.kind !== 'message') {
    entries.push(item);
    return;
  }
  const { group, bubble } = item;
  if (bubble.message?.sender === 'system') {
    const isHandOver = bubble.message.event === 'handed_over';
    entries.push({ kind: 'system', key: group.key, at: group.at, content: systemText(bubble.message), isHandOver });
    return;
  }
  const last = entries.at(-1);
  const joins =
    last?.kind === 'group' && last.authorKey === group.authorKey && minuteOf(last.at) === minuteOf(group.at);
  if (joins) last.bubbles.push(bubble);
  else entries.push({ ...group, bubbles: [bubble] });
}

/** Puts notes among the messages by time. Messages keep the server's order, even where their times contradict it. */
function withNotes(messages: readonly Item[], notes: readonly Item[]): Item[] {
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

function messageItem(message: StaffMessage, user: User): Item {
  const own = message.senderId === user._id;
  const side = message.sender === 'visitor' ? 'visitor' : 'staff';
  // A message of the user's own keeps its key when the server confirms it, so that its bubble is not mounted again.
  const key = own ? message.clientId : message._id;
  const { timestamp: at, senderAvatar: avatar } = message;
  const automatic = message.sender === 'assistant';
  const author = automatic ? authorOf(message, '') : message.senderName;
  const authorKey = automatic ? 'assistant' : `${side}:${message.senderId ?? ''}`;
  return {
    kind: 'message',
    at,
    group: { kind: 'group', key, side, authorKey, own, automatic, author, avatar, at },
    bubble: { key, content: message.content, message },
  };
}

function noteItem(note: Note, user: User): Item {
  const { _id, clientId, createdAt, author, content, event, mentions } = note;
  if (event) return { kind: 'system', key: _id, at: createdAt, content: eventText(note) };
  const own = author._id === user._id;
  const key = own ? clientId : _id;
  const mentioned = mentions?.map((each) => ({ name: each.name, isUser: each._id === user._id })) ?? NOBODY;
  const by = own ? null : author.name;
  return { kind: 'note', key, at: createdAt, author: by, content, mentions: mentioned, outgoing: null };
}

/** What an event of the team says, as a whole sentence for each. */
function eventText({ event, author, until, to, department, content }: Note): string {
  const { _id, isRule } = author;
  const name = isRule ? t('The rule “{name}”', { name: author.name }) : author.name;
  if (event === 'unsnoozed') return t('{name} brought this chat back', { name });
  if (until) return t('{name} snoozed this chat until {time}', { name, time: formatDayTime(until) });
  if (department) {
    const values = { name, department: department.name };
    return event === 'transferred'
      ? t('{name} handed this chat to {department}', values)
      : t('{name} put this chat into {department}', values);
  }
  if (event === 'department') return t('{name} took this chat out of its department', { name });
  // Stored by an older server, which wrote only the English sentence.
  if (to === undefined) return content;
  if (to === null) return t('{name} gave this chat back to the queue', { name });
  if (to._id === _id) return t('{name} took this chat over', { name });
  return t('{name} handed this chat to {colleague}', { name, colleague: to.name });
}

function outgoingItem(outgoing: Outgoing | Upload, user: User): Item {
  const { clientId: key, content } = outgoing;
  const at = new Date(outgoing.at).toISOString();
  if (outgoing.note) return { kind: 'note', key, at, author: null, content, mentions: NOBODY, outgoing };
  const { name: author, avatar } = user;
  const authorKey = `staff:${user._id}`;
  return {
    kind: 'message',
    at,
    group: { kind: 'group', key, side: 'staff', authorKey, own: true, author, avatar, at },
    bubble: { key, content, outgoing },
  };
}

function dayOf(at: string): string {
  return new Date(at).toDateString();
}

function minuteOf(at: string): number {
  return Math.floor(Date.parse(at) / MINUTE_MS);
}
