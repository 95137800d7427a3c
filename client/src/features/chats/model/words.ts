import type { ChatStatus } from 'server/contract';
import { truncate as cut } from '../../../lib/format.ts';

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
