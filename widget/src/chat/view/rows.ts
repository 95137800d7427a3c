import type { Message } from 'server/contract';
import type { Progress, Store } from '../state.ts';
import { words } from '../words.ts';
import { day } from './times.ts';

/** Own messages older than this and not yet sent say so in words. */
export const LATE_MS = 30_000;
/** Messages of one author within this time stand together. */
const GROUP_MS = 5 * 60_000;

/** One row of the conversation as it is drawn. */
export interface Row {
  /** The same for as long as it is the same thing on screen: an own message keeps its own from the first click on. */
  key: string;
  kind: 'bubble' | 'note' | 'day';
  text: string;
  mine: boolean;
  /** 0: without a time, as the greeting. */
  at: number;
  /** Who wrote, where it opens a group. */
  author: string;
  first: boolean;
  last: boolean;
  progress: 'sending' | 'late' | 'failed' | Progress | null;
  /** Why it failed. */
  reason: string;
}

const PLAIN: Row = {
  key: '',
  kind: 'bubble',
  text: '',
  mine: false,
  at: 0,
  author: '',
  first: true,
  last: true,
  progress: null,
  reason: '',
};

/** What the conversation looks like now. */
export function rowsOf({ state, progressOf }: Store, now: number): Row[] {
  const { customization, name } = state.config;
  const greeting: Row = { ...PLAIN, key: 'greeting', text: customization.welcomeMessage, author: name };
  const stored = new Set(state.messages.map(({ clientId }) => clientId));
  const rows = [
    ...(greeting.text ? [greeting] : []),
    ...state.messages.map((message) => rowOf(message, message.sender === 'visitor' ? progressOf(message) : null)),
    ...state.pending
      .filter(({ clientId }) => !stored.has(clientId))
      .map(({ clientId, content, at, failed }): Row => {
        const progress = failed ? 'failed' : now - at > LATE_MS ? 'late' : 'sending';
        const reason = failed ? reasonOf(failed) : '';
        return { ...PLAIN, key: clientId, text: content, mine: true, at, progress, reason };
      }),
  ];
  return withDays(
    rows.map((row, i) => grouped(row, rows[i - 1], rows[i + 1])),
    now,
  );
}

function rowOf(message: Message, progress: Progress | null): Row {
  const { sender, clientId, chatId, seq, text, event, senderName } = message;
  const mine = sender === 'visitor';
  return {
    ...PLAIN,
    key: mine ? clientId : `${chatId}:${seq}`,
    kind: sender === 'system' ? 'note' : 'bubble',
    text: event === 'closed' ? words.closed : text,
    mine,
    at: Date.parse(message.timestamp),
    author: mine ? '' : (senderName ?? ''),
    progress,
  };
}

function reasonOf({ code, message }: { code: string; message: string }): string {
  return message || (code === 'EXPIRED' ? words.expired : words.refused);
}

function grouped(row: Row, before: Row | undefined, after: Row | undefined): Row {
  const first = !belongs(before, row);
  return { ...row, first, last: !belongs(row, after), author: first ? row.author : '' };
}

function belongs(a: Row | undefined, b: Row | undefined): boolean {
  if (!a || !b || a.kind !== 'bubble' || b.kind !== 'bubble') return false;
  // The greeting has no time: it stands for itself.
  return a.mine === b.mine && a.author === b.author && a.at > 0 && b.at - a.at < GROUP_MS && a.progress !== 'failed';
}

/** Names the days, unless all of it is of today. */
function withDays(rows: Row[], now: number): Row[] {
  const today = day(now, now);
  let shown = today;
  const oldest = rows.find(({ at }) => at > 0);
  if (oldest && day(oldest.at, now) !== today) shown = '';
  return rows.flatMap((row) => {
    const name = row.at ? day(row.at, now) : shown;
    if (name === shown) return [row];
    shown = name;
    return [{ ...PLAIN, key: `day:${row.key}`, kind: 'day' as const, text: name, at: row.at }, row];
  });
}
