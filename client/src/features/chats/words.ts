import type { ChatStatus } from 'server/contract';

/** The badge's colour of each status: green active, yellow waiting, grey closed. */
export const STATUS_TONES: Record<ChatStatus, 'success' | 'waiting' | 'closed'> = {
  active: 'success',
  waiting: 'waiting',
  closed: 'closed',
};

const PREVIEW_LENGTH = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;
const letters = new Intl.Segmenter();

/** The start of the last message, cut between letters as people see them. */
export function preview(text: string): string {
  const all = Array.from(letters.segment(text.replace(/\s+/g, ' ').trim()), ({ segment }) => segment);
  return all.length > PREVIEW_LENGTH ? `${all.slice(0, PREVIEW_LENGTH).join('').trimEnd()}…` : all.join('');
}

/** The day as a separator says it. */
export function dayWord(at: string, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return 'Today';
  if (day.toDateString() === new Date(now - DAY_MS).toDateString()) return 'Yesterday';
  const sameYear = day.getFullYear() === new Date(now).getFullYear();
  return day.toLocaleDateString('en', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(!sameYear && { year: 'numeric' }),
  });
}

/** The time of day, as the reader's own country writes it. */
export function clockWord(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** The whole date, for a tooltip. */
export function momentWord(at: string): string {
  return new Date(at).toLocaleString('en', { dateStyle: 'full', timeStyle: 'short' });
}
