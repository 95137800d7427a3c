import type { ChatListQuery } from '#features/chats/contract';

/** Saved views that one user may have. */
export const SAVED_VIEWS_MAX = 20;
export const VIEW_NAME_MAX_LENGTH = 40;
/** Counts go up to this: it means as many or more. */
export const COUNT_MAX = 100;
/** Tags that the filter offers. */
export const TAGS_OFFERED_MAX = 50;

/** The filters of the inbox. Left out: all of that kind. */
export interface InboxFilter
  extends Pick<ChatListQuery, 'status' | 'claimedBy' | 'unread' | 'tag' | 'department' | 'sort'> {
  siteId?: string;
}

/** Filters under a name, for one user. */
export interface SavedView extends InboxFilter {
  _id: string;
  name: string;
}

/** How many chats there are, each up to `COUNT_MAX`. */
export interface InboxCounts {
  waiting: number;
  active: number;
  snoozed: number;
  /** Chats that the automatic assistant has. */
  assistant: number;
  /** Chats with visitor messages that no member has read, of any claimer and tag, without snoozed ones. */
  unread: number;
}

/** Which chats are counted: those of all the caller's sites, or of one. */
export type CountsQuery = Pick<InboxFilter, 'siteId' | 'claimedBy' | 'tag' | 'department'>;

/** The calls of the inbox besides those of its chats. */
export interface InboxApi {
  'GET /inbox/counts': { query: CountsQuery; data: { counts: InboxCounts } };
  /** The tags in use, in the order of their characters. */
  'GET /inbox/tags': { query: Pick<InboxFilter, 'siteId'>; data: { tags: string[] } };
  'GET /inbox/views': { data: { views: SavedView[] } };
  /** The new view is the last one. */
  'POST /inbox/views': { body: InboxFilter & { name: string }; data: { views: SavedView[] } };
  /** The order: views that are not named keep theirs, after the named ones. */
  'PUT /inbox/views': { body: { ids: string[] }; data: { views: SavedView[] } };
  'PUT /inbox/views/:id': { body: InboxFilter & { name: string }; data: { views: SavedView[] } };
  'DELETE /inbox/views/:id': { data: { views: SavedView[] } };
}

/** Events about the inbox on the dashboard socket. */
export interface InboxEvents {
  /** The user has changed the saved views, in this tab or another one. */
  views_changed: () => void;
}
