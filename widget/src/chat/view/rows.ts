import type { Attachment, Message } from 'server/contract';
import { words } from '../language.ts';
import type { Progress, Store } from '../state.ts';
import type { OutgoingMessage } from '../storage.ts';

/** Own messages older than this and not yet sent say so in words. */
const LATE_MS = 30_000;
/** Messages of one author within this time stand together. */
const GROUP_MS = 5 * 60_000;

/** One row of the conversation as it is drawn. */
export interface Row {
  /** The same for as long as it is the same thing on screen: an own message keeps its own from the first click on. */
  key: string;
  kind: 'bubble' | 'note' | 'day';
  text: string;
  /** What is shown instead of the text, once the server has it. */
  file: Attachment | null;
  /** 0: without a time, as the greeting. */
  at: number;
  /** Who wrote, where that is not the visitor. */
  author: string;
  /** How far an own message has got; null: it is not an own one. */
  progress: 'sending' | 'late' | 'failed' | Progress | null;
  /** Why it failed, or has to wait. */
  why: string;
  /** Whether to try again may help: a file stays as large as it is. */
  canRetry: boolean;
  /** Whether it begins what one author wrote in one go. */
  first: boolean;
  /** Whether it is the last of these that has got so far. */
  last: boolean;
}

const PLAIN: Row = {
  key: '',
  kind: 'bubble',
  text: '',
  file: null,
  at: 0,
  author: '',
  progress: null,
  why: '',
  canRetry: false,
  first: true,
  last: true,
};

/** What the conversation looks like now. */
export function rowsOf({ state, progressOf }: Store, now: number, locale: string): Row[] {
  const { customization, name } = state.config;
  const stored = new Set(state.messages.map(({ clientId }) => clientId));
  const pending = [...state.pending, ...state.uploads].sort((a, b) => a.at - b.at);
  const greeting = customization.welcomeMessage;
  const rows = [
    { ...PLAIN, key: greeting, text: greeting, author: name },
    ...state.messages.map((message) => storedRow(message, progressOf)),
    ...pending.filter(({ clientId }) => !stored.has(clientId)).map((message) => pendingRow(message, now)),
  ];
  return withDays(
    rows.map((row, i) => ({
      ...row,
      first: !belongs(rows[i - 1], row),
      last: !belongs(row, rows[i + 1]) || row.progress !== rows[i + 1]?.progress,
    })),
    now,
    locale,
  );
}

function storedRow(message: Message, progressOf: Store['progressOf']): Row {
  const { sender, clientId, chatId, seq, text, file, event, senderName, timestamp } = message;
  const mine = sender === 'visitor';
  return {
    ...PLAIN,
    key: mine ? clientId : chatId + seq,
    kind: sender === 'system' ? 'note' : 'bubble',
    text: event === 'closed' ? words.closed : text,
    file,
    at: Date.parse(timestamp),
    author: (sender === 'agent' && senderName) || '',
    progress: mine ? progressOf(message) : null,
  };
}

function pendingRow({ clientId, content, at, why = '', failed }: OutgoingMessage, now: number): Row {
  const progress = failed ? 'failed' : why || now - at > LATE_MS ? 'late' : 'sending';
  return {
    ...PLAIN,
    key: clientId,
    text: content,
    at,
    progress,
    why,
    ...(failed && { why: reasonOf(failed), canRetry: failed.code !== 'FILE' }),
  };
}

/** Why a message failed: in the visitor's language where the widget knows it, else in the server's words. */
function reasonOf({ code, message }: NonNullable<OutgoingMessage['failed']>): string {
  return { BLOCKED: words.blocked, EXPIRED: words.expired }[code] ?? message;
}

function belongs(a: Row | undefined, b: Row | undefined): boolean {
  return (
    a?.kind === 'bubble' &&
    b?.kind === 'bubble' &&
    !a.progress === !b.progress &&
    a.author === b.author &&
    a.progress !== 'failed' &&
    b.at - a.at < GROUP_MS
  );
}

/** Names the days, unless all of it is of today. */
function withDays(rows: Row[], now: number, locale: string): Row[] {
  let shown = day(now, now, locale);
  return rows.flatMap((row) => {
    const text = row.at ? day(row.at, now, locale) : shown;
    if (text === shown) return [row];
    shown = text;
    return [{ ...PLAIN, key: text + row.key, kind: 'day', text }, row];
  });
}

/** The time of day, as the visitor is used to it. */
export function clock(at: number, locale: string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}

/** The day in words: today, yesterday, or the date. */
export function day(at: number, now: number, locale: string): string {
  const date = new Date(at);
  const today = new Date(now);
  // By the calendar: where the clocks change, a day has 23 or 25 hours.
  const yesterday = new Date(now);
  yesterday.setDate(today.getDate() - 1);
  if (date.toDateString() === today.toDateString()) return words.today;
  if (date.toDateString() === yesterday.toDateString()) return words.yesterday;
  const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return date.toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long', year });
}
