import type { Chat } from '#features/chats/contract';

/** Days of the charts, today included. */
export const OVERVIEW_DAYS = 14;
/** Chats in the list of recent ones. */
export const OVERVIEW_RECENT = 5;

/** One day of the charts. */
export interface DayFigures {
  /** Like `2026-05-31`, in the time zone asked for. */
  day: string;
  /** Chats that began. */
  chats: number;
  /** The median first response in minutes; null if no chat was answered. */
  responseMinutes: number | null;
}

/**
 * The figures of the Overview, without chats of bots. A week is the 7 × 24 hours up to now; last week is the 7 × 24 hours
 * before.
 */
export interface Overview {
  totalChats: number;
  activeChats: number;
  sites: number;
  /** Chats with a visitor name. */
  visitors: number;
  /** Change of the chats begun this week against last week, in per cent; null if there were none last week. */
  growthPercent: number | null;
  /** The median first response of this week in minutes; null if no chat was answered. */
  avgResponseMinutes: number | null;
  avgResponseMinutesLastWeek: number | null;
  /** The latest chats over all sites. */
  recent: Chat[];
  /** Oldest first. */
  perDay: DayFigures[];
}

/** The endpoint of the Overview. */
export interface OverviewApi {
  'GET /overview': { query: { siteId?: string; tz?: string }; data: Overview };
}
