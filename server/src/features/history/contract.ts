import type { Chat, ChatStatus, Claimer } from '#features/chats/contract';
import type { Page, PageQuery } from '#platform/http/contract';

/** A chat as the History screen lists it. */
export interface HistoryRow extends Chat {
  /** Whole minutes from the beginning of the chat to its last activity. */
  durationMinutes: number;
}

/** The filters of the History screen, and of an export. */
export interface HistoryFilters {
  /** One site. If left out, all sites of the caller. */
  siteId?: string;
  /** Who claimed the chat: the id of a user, or a full name. */
  supporter?: string;
  status?: ChatStatus | 'all';
  /** Only chats of this department; `none`: of no department. */
  department?: string;
  /** Words of the visitor's name, e-mail address or a message. An empty text filters nothing. */
  search?: string;
  /** The first day on which a chat began, like `2026-05-31`. */
  startDate?: string;
  /** The last day on which a chat began. */
  endDate?: string;
  /** The time zone of both days. If left out, UTC. */
  tz?: string;
}

/** Matching chats are counted up to this number. A higher total is reported as unknown, because counting costs time. */
export const HISTORY_TOTAL_MAX = 1_000;

/** A page of the history. */
export interface HistoryPage extends Page {
  chats: HistoryRow[];
  /**
   * How many chats pass the filters, counted with the first page only. Null if it is not known: above `HISTORY_TOTAL_MAX`,
   * or with a search for words.
   */
  total: number | null;
}

/** The endpoints of the History screen. */
export interface HistoryApi {
  /** Latest begun first. */
  'GET /chats/history': { query: HistoryFilters & PageQuery; data: HistoryPage };
  /** All who claimed a chat that still exists, by name. */
  'GET /chats/supporters': { query: { siteId?: string }; data: { supporters: Claimer[] } };
}
