import type { Chat, ChatStatus, Claimer } from '../chats/contract.ts';
import type { Page, PageQuery } from '../http/contract.ts';

/** A chat as the History screen lists it. */
export interface HistoryRow extends Chat {
  /** Whole minutes from its beginning to its last activity. */
  durationMinutes: number;
}

/** What the History screen filters by, and an export too. */
export interface HistoryFilters {
  /** One site; left out: all of the caller's. */
  siteId?: string;
  /** Who claimed the chat: a user's id, or a name in full. */
  supporter?: string;
  status?: ChatStatus | 'all';
  /** Words of the visitor's name, e-mail or a message; empty: filters nothing. */
  search?: string;
  /** The first day on which a chat began, like `2026-05-31`. */
  startDate?: string;
  /** The last day on which a chat began. */
  endDate?: string;
  /** The time zone of both days; left out: UTC. */
  tz?: string;
}

/** Chats are counted up to here; beyond, there are simply more. */
export const HISTORY_TOTAL_MAX = 1_000;

/** A page of the history. */
export interface HistoryPage extends Page {
  chats: HistoryRow[];
  /** How many pass the filters in all, counted with the first page; null where that is not known: above the limit, or by words. */
  total: number | null;
}

/** The calls of the History screen. */
export interface HistoryApi {
  /** Latest begun first. */
  'GET /chats/history': { query: HistoryFilters & PageQuery; data: HistoryPage };
  /** Everybody who claimed a chat that still stands, by name. */
  'GET /chats/supporters': { query: { siteId?: string }; data: { supporters: Claimer[] } };
}
