/** The largest file with the history of another chat. */
export const HISTORY_FILE_MAX_BYTES = 25 * 1024 * 1024;
/** The most messages of one file. */
export const HISTORY_MESSAGES_MAX = 200_000;
/** The most columns of a file that can be chosen from. */
export const HISTORY_COLUMNS_MAX = 200;
export const HISTORY_COLUMN_MAX_LENGTH = 200;
/** The imports of a site that are listed. */
export const HISTORY_IMPORTS_LISTED = 10;

/** What a column of the file can be. */
export const IMPORT_FIELDS = [
  'conversation',
  'time',
  'text',
  'sender',
  'senderName',
  'visitorName',
  'visitorEmail',
  'message',
  'note',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];
/** Without these, nothing can be imported. */
export const REQUIRED_IMPORT_FIELDS: readonly ImportField[] = ['conversation', 'time', 'text', 'sender'];

/** Which column of the file is what. */
export type ImportColumns = Partial<Record<ImportField, string>>;

/** How a file is read. */
export interface ImportPlan {
  columns: ImportColumns;
  /** The time zone of times that name none, such as `Europe/Berlin`. */
  timeZone: string;
  /** Whether `03/04/2025` is the 3rd of April. */
  dayFirst: boolean;
}

/** A column of the file, with the first different values in it. */
export interface ImportColumn {
  name: string;
  samples: string[];
}

/** Why a row is not imported. */
export const IMPORT_SKIPS = [
  'noConversation',
  'noTime',
  'badTime',
  'timeOutOfRange',
  'noText',
  'tooLong',
  'badSender',
  'system',
  'note',
  'repeated',
  'retention',
  'erased',
] as const;
export type ImportSkip = (typeof IMPORT_SKIPS)[number];

/** The rows that are not imported for one reason. */
export interface ImportSkipped {
  why: ImportSkip;
  rows: number;
  /** The lines of the first ones: of a CSV file as an editor counts them, else the number of the message. */
  lines: number[];
}

/** What an import does, or would do. */
export interface ImportCounts {
  chats: number;
  messages: number;
  /** People who are not known from an earlier import. */
  people: number;
  /** Chats that an earlier import has stored, which stay as they are. */
  knownChats: number;
  knownMessages: number;
  skipped: ImportSkipped[];
}

/**
 * `uploaded`: waits to be checked or imported; `checking` and `importing`: under way; `checked`: a dry run has ended.
 */
export type ImportStatus = 'uploaded' | 'checking' | 'checked' | 'importing' | 'done' | 'cancelled' | 'failed';

/** Why an import has failed. */
export type ImportFailure = 'SITE_FULL' | 'UNREADABLE' | 'TOO_MANY' | 'UNAVAILABLE';

/** A file with the history of another chat, and what became of it. */
export interface HistoryImport {
  _id: string;
  fileName: string;
  status: ImportStatus;
  /** The product that seems to have made the file; null: unknown. */
  source: string | null;
  /** The messages in the file. */
  rows: number;
  columns: ImportColumn[];
  /** How it is read: at first what the names of the columns suggest. */
  plan: ImportPlan;
  /** Chats read so far, and in all; null: not counted yet. */
  done: number;
  total: number | null;
  counts: ImportCounts;
  failure: ImportFailure | null;
  /** ISO 8601 UTC */
  createdAt: string;
  finishedAt: string | null;
}

/** The body of a check or an import. */
export interface ImportRunBody extends ImportPlan {
  /** Only counts what would be done. */
  dryRun: boolean;
}

/** The calls that import the history of another chat. */
export interface ImportsApi {
  'GET /sites/:id/imports': { data: { imports: HistoryImport[] } };
  'POST /sites/:id/imports': { query: { name: string }; data: { import: HistoryImport } };
  'GET /sites/:id/imports/:importId': { data: { import: HistoryImport } };
  'POST /sites/:id/imports/:importId/run': { body: ImportRunBody; data: { import: HistoryImport } };
  'DELETE /sites/:id/imports/:importId': { data: { import: HistoryImport } };
}
