import { MESSAGE_CHANGE_MS, type Message } from 'server/contract';
import { texts } from '../language.ts';
import type { Progress, Store, Upload } from '../state.ts';
import type { OutgoingMessage } from '../storage.ts';

/** A message that is not sent after this time is marked as late. */
const LATE_MS = 30_000;
/** Messages of one author within this time are grouped. */
const GROUP_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** One row of the conversation as it is drawn. */
export interface Row {
  /** Stable: a message of the visitor keeps its key (the `clientId`) from sending to stored. */
  key: string;
  kind: 'bubble' | 'note' | 'day';
  text: string;
  /** A message that the part `files` shows: a file that the server has, one that is formatted or changed, or Parley's own. */
  message: Message | null;
  /** In milliseconds since 1970; 0: no time, as for a greeting. */
  at: number;
  /** The author, unless it is the visitor. */
  author: string;
  /** The delivery state of a message of the visitor; null: it is somebody else's. */
  progress: 'sending' | 'late' | 'failed' | Progress | null;
  /** Why it failed or is late. */
  why: string;
  /** The progress of a file that is being sent. */
  bar?: HTMLElement | undefined;
  /** What the visitor may still do: send it again, unless that cannot help, or correct and delete it. */
  can?: 'retry' | 'change' | null;
  /** Whether it is the first of its group. */
  first: boolean;
  /** Whether it is the last of its group with this delivery state. */
  last?: boolean;
}

const PLAIN: Omit<Row, 'key' | 'text'> = {
  kind: 'bubble',
  message: null,
  at: 0,
  author: '',
  progress: null,
  why: '',
  first: true,
};

/** The rows of the conversation as it is now. */
export function rowsOf({ state, progressOf }: Store, now: number, locale: string): Row[] {
  const { customization, name } = state.config;
  const stored = new Set(state.messages.map(({ clientId }) => clientId));
  const pending = [...state.pending, ...state.uploads].sort((a, b) => a.at - b.at);
  const said = (text: string, key = text): Row => ({ ...PLAIN, key, text, author: name });
  const rows = [
    said(customization.welcomeMessage),
    ...state.messages.flatMap((message) => {
      const { clientId, greeting } = message;
      const row = storedRow(message, progressOf, now);
      return greeting ? [said(greeting, `${clientId} greeting`), row] : row;
    }),
    ...(state.greeting ? [said(state.greeting.text, 'greeting')] : []),
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

function storedRow(message: Message, progressOf: Store['progressOf'], now: number): Row {
  const { chatId, sender, event, seq, clientId, text, file, senderName, timestamp, edit, deletedAt } = message;
  const mine = sender === 'visitor';
  const at = Date.parse(timestamp);
  return {
    ...PLAIN,
    key: mine ? clientId : chatId + seq,
    kind: sender === 'system' ? 'note' : 'bubble',
    text: event ? '' : text,
    message: file || event || edit || message.formatted || message.sources ? message : null,
    at,
    author: (!mine && senderName) || '',
    progress: mine ? progressOf(message) : null,
    can: mine && !deletedAt && now - at < MESSAGE_CHANGE_MS ? 'change' : null,
  };
}

function pendingRow(
  { clientId, content, at, why = '', failed, bar }: OutgoingMessage & Partial<Upload>,
  now: number,
): Row {
  const progress = failed ? 'failed' : why || now - at > LATE_MS ? 'late' : 'sending';
  return {
    ...PLAIN,
    key: clientId,
    text: content,
    at,
    progress,
    why,
    bar: failed ? undefined : bar,
    ...(failed && {
      why: { BLOCKED: texts.blocked, FILE: failed.message }[failed.code] ?? '',
      can: failed.code === 'FILE' ? null : 'retry',
    }),
  };
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

/** Puts a row before the first message of each day, unless all of them are of today. */
function withDays(rows: Row[], now: number, locale: string): Row[] {
  let shown = dayText(now, now, locale);
  return rows.flatMap((row) => {
    const text = row.at ? dayText(row.at, now, locale) : shown;
    if (text === shown) return [row];
    shown = text;
    return [{ ...PLAIN, key: text + row.key, kind: 'day', text }, row];
  });
}

/** The time of day in the visitor's locale. */
export function timeText(at: number, locale: string): string {
  return new Date(at).toLocaleTimeString(locale, { timeStyle: 'short' });
}

/** The day in words: today, yesterday, or the date. */
export function dayText(at: number, now: number, locale: string): string {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  // Rounded: where the clocks change, a day has 23 or 25 hours.
  const ago = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (ago < 2) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day');
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  return new Date(at).toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long', year });
}
