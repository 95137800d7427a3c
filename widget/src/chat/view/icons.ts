import { icon } from '../dom-helpers.ts';
import type { Row } from './rows.ts';

const CLOCK = 'M12 8v4.5l2.5 1.5M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z';
const TICK = 'M6 12.5l4 4 8.5-9';
const TICKS = 'M2.5 12.5l4 4L15 7.5M11.5 16.5l9-9';
const WARNING = 'M12 7.5v5.5m0 3v.1M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Z';

export const sendIcon = () => icon('', 'M3.6 20.4 21 12 3.6 3.6 3.5 10l11 2-11 2z');
export const closeIcon = () => icon('M6.5 6.5l11 11m0-11l-11 11');
export const chevronIcon = () => icon('M6 9.5l6 6 6-6');
export const menuIcon = () => icon('M5.5 12h.5m6 0h.5m6 0h.5');
export const emojiIcon = () => icon('M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9 10v.1M15 10v.1M8.5 14q3.5 4 7 0');
export const fileIcon = () => icon('M17 8l-7 7a2 2 0 0 0 3 3l6-6a4 4 0 0 0-6-6l-6 6');

export const backIcon = () => icon('M15 5l-7 7 7 7');
export const searchIcon = () => icon('M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15.5 15.5l4 4');

const PROGRESS: Record<NonNullable<Row['progress']>, string> = {
  sending: CLOCK,
  late: CLOCK,
  sent: TICK,
  delivered: TICKS,
  read: TICKS,
  failed: WARNING,
};

/** The icon of a delivery state. */
export const progressIcon = (progress: NonNullable<Row['progress']>) => icon(PROGRESS[progress]);
