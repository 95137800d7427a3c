import type { HistoryFilters } from '#features/history/contract';

/** `txt`: plain text of any size. `pdf`: a document for printing and passing on, of limited size. */
export type ExportFormat = 'txt' | 'pdf';

/** The most chats in one PDF; more are refused with `EXPORT_TOO_LARGE`. */
export const PDF_CHATS_MAX = 5_000;
/** The most messages in one PDF. */
export const PDF_MESSAGES_MAX = 200_000;
/** Exports of one person that may run at once; one more is refused with `EXPORTS_RUNNING`. */
export const EXPORTS_AT_ONCE = 2;

/** The filters and the format of an export. Days and times are in the time zone `tz`. */
export interface ExportQuery extends HistoryFilters {
  /** `txt` when left out. */
  format?: ExportFormat;
}

/**
 * The REST calls of exports. Both answer a text or PDF file as an attachment, without the JSON envelope. If no chat
 * matches, the file says so. The team's notes are left out, so that a file may be given to customers.
 */
export interface ExportsApi {
  /** `chat-history.txt` or `chat-history.pdf`: latest begun first. */
  'GET /chats/export': { query: ExportQuery; data: never };
  /** `chat-{id}.txt` or `chat-{id}.pdf`. */
  'GET /chats/:id/export': { query: Pick<ExportQuery, 'format' | 'tz'>; data: never };
}
