import type { ChatStatus } from 'server/contract';
import { preview as cut } from '../../../lib/preview.ts';

/** The badge's colour of each status: green active, yellow waiting, grey closed. */
export const STATUS_TONES: Record<ChatStatus, 'success' | 'waiting' | 'closed'> = {
  active: 'success',
  waiting: 'waiting',
  closed: 'closed',
};

const PREVIEW_LENGTH = 30;
const OPENING_LENGTH = 120;

/** The start of the last message, as a row of the list shows it. */
export function preview(text: string): string {
  return cut(text, PREVIEW_LENGTH);
}

/** What a chat began with: as much as the widest row has room for. */
export function opening(text: string): string {
  return cut(text, OPENING_LENGTH);
}

/** The day as a separator says it. */
export function dayWord(at: string, now: number): string {
  const day = new Date(at);
  if (day.toDateString() === new Date(now).toDateString()) return 'Today';
  // By the calendar: a day on which the clocks change has no 24 hours.
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (day.toDateString() === yesterday.toDateString()) return 'Yesterday';
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
