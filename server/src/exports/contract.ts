import type { HistoryFilters } from '../history/contract.ts';

/** Plain text, of any size; or a document to print and to show around. */
export type ExportFormat = 'txt' | 'pdf';

/** Chats that one PDF carries; beyond, it is refused with `EXPORT_TOO_LARGE`. */
export const PDF_CHATS_MAX = 5_000;
/** Messages that one PDF carries. */
export const PDF_MESSAGES_MAX = 200_000;
/** Exports of one person that may be under way at once; one more is refused with `EXPORTS_RUNNING`. */
export const EXPORTS_AT_ONCE = 2;

/** Which chats, as what. Days and times are those of `tz`. */
export interface ExportQuery extends HistoryFilters {
  /** Left out: `txt`. */
  format?: ExportFormat;
}

/**
 * The exports. Both answer a file without the envelope, as an attachment: text, or a PDF. Chats in which nothing matches
 * give a file that says so. The team's notes are left out, so that a file may be given to customers.
 */
export interface ExportsApi {
  /** `chat-history.txt` or `chat-history.pdf`: latest begun first. */
  'GET /chats/export': { query: ExportQuery; data: never };
  /** `chat-{id}.txt` or `chat-{id}.pdf`. */
  'GET /chats/:id/export': { query: Pick<ExportQuery, 'format' | 'tz'>; data: never };
}
