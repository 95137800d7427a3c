import type { Page, PageQuery } from '../http/contract.ts';

export const SHORTCUT_MAX_LENGTH = 50;
export const REPLY_MAX_LENGTH = 5_000;
/** Canned replies of one site. */
export const REPLY_LIMIT = 500;

/** A text that a site's team keeps ready. */
export interface CannedReply {
  _id: string;
  siteId: string;
  /** What one types after `/` to find it: lower-case letters, digits, `-` and `_`; once per site. */
  shortcut: string;
  content: string;
}

/** A canned reply as it is written down; a `/` before the shortcut is taken off. */
export interface ReplyBody {
  siteId: string;
  shortcut: string;
  content: string;
}

/** The calls of canned replies. */
export interface RepliesApi {
  /** By shortcut; `q` is how the shortcut begins. */
  'GET /canned-replies': { query: PageQuery & { siteId: string; q?: string }; data: { replies: CannedReply[] } & Page };
  'POST /canned-replies': { body: ReplyBody; data: { reply: CannedReply } };
  'PATCH /canned-replies/:id': { body: Partial<Omit<ReplyBody, 'siteId'>>; data: { reply: CannedReply } };
  'DELETE /canned-replies/:id': { data: Record<string, never> };
}
