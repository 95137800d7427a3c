import type { Chat } from '../chats/contract.ts';

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
  /** The median first response in minutes; null: nobody was answered. */
  responseMinutes: number | null;
}

/** The figures of the Overview; machines' chats are left out. A week is the 7 × 24 hours up to now, or those before. */
export interface Overview {
  totalChats: number;
  activeChats: number;
  sites: number;
  /** Chats with a visitor name. */
  visitors: number;
  /** Chats begun this week against last, in per cent; null: none last week. */
  growthPercent: number | null;
  /** The median first response of this week in minutes; null: nobody was answered. */
  avgResponseMinutes: number | null;
  avgResponseMinutesLastWeek: number | null;
  /** The latest chats over all sites. */
  recent: Chat[];
  /** Oldest first. */
  perDay: DayFigures[];
}

/** The call of the Overview. */
export interface OverviewApi {
  'GET /overview': { query: { siteId?: string; tz?: string }; data: Overview };
}
