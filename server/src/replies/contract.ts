import type { Page, PageQuery } from '../http/contract.ts';

export const SHORTCUT_MAX_LENGTH = 50;
export const REPLY_MAX_LENGTH = 5_000;
/** The most canned replies that one site may have. */
export const REPLY_LIMIT = 500;

/** A prepared answer of a site's team. */
export interface CannedReply {
  _id: string;
  siteId: string;
  /** What an agent types after `/` to find it: lower-case letters, digits, `-` and `_`; unique on its site. */
  shortcut: string;
  content: string;
}

/** A canned reply as it is sent; a `/` before the shortcut is removed. */
export interface ReplyBody {
  siteId: string;
  shortcut: string;
  content: string;
}

/** The REST calls of canned replies. */
export interface RepliesApi {
  /** Sorted by shortcut; `q` is the beginning of the shortcut. */
  'GET /canned-replies': { query: PageQuery & { siteId: string; q?: string }; data: { replies: CannedReply[] } & Page };
  'POST /canned-replies': { body: ReplyBody; data: { reply: CannedReply } };
  'PATCH /canned-replies/:id': { body: Partial<Omit<ReplyBody, 'siteId'>>; data: { reply: CannedReply } };
  'DELETE /canned-replies/:id': { data: Record<string, never> };
}
