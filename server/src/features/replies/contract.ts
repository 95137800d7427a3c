import type { Attachment } from '#platform/files/contract';
import type { MessageParts, Page, PageQuery } from '#platform/http/contract';

export const SHORTCUT_MAX_LENGTH = 50;
export const REPLY_MAX_LENGTH = 5_000;
/** The most canned replies that the team of one site may have. */
export const REPLY_LIMIT = 500;
/** The most personal canned replies that one member may have on one site. */
export const PERSONAL_REPLY_LIMIT = 100;
export const REPLY_FILES_MAX = 5;
/** The most rows, and bytes, of a CSV file that is imported. */
export const IMPORT_ROWS_MAX = 1_000;
export const IMPORT_MAX_BYTES = 2 * 1024 * 1024;
/** The most errors that are listed of a CSV file. */
export const IMPORT_ERRORS_MAX = 100;

/** What `{{…}}` in a canned reply may name; it is filled in when an agent inserts the reply. */
export const PLACEHOLDERS = ['visitor.name', 'agent.name', 'site.name'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** What the placeholders of a canned reply stand for; null: not known. */
export type PlaceholderValues = Record<Placeholder, string | null>;

/** A placeholder with the blank before it, which goes when the name is not known: 'Hello {{visitor.name}},' becomes 'Hello,'. */
const WITH_BLANK = / ?\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** The text of a canned reply with its placeholders filled in; unknown placeholders of older replies stay. */
export function fillPlaceholders(content: string, values: PlaceholderValues): string {
  return content.replace(WITH_BLANK, (whole, name: string, otherwise = '') => {
    const key = PLACEHOLDERS.find((each) => each === name.trim());
    if (!key) return whole;
    const value = values[key] ?? otherwise.trim();
    return value !== '' && whole.startsWith(' ') ? ` ${value}` : value;
  });
}

/** A prepared answer of a site's team, or of one member. */
export interface CannedReply {
  _id: string;
  siteId: string;
  /** What an agent types after `/` to find it: lower-case letters, digits, `-` and `_`; unique among the team's, and among one's own. */
  shortcut: string;
  /** May have placeholders such as `{{visitor.name}}`, or `{{visitor.name|there}}` with what stands there if it is not known. */
  content: string;
  /** Only the member who made it sees and changes it. */
  personal: boolean;
  /** Sent along as attachments. */
  files: Attachment[];
}

/** A canned reply as it is sent; a `/` before the shortcut is removed. */
export interface ReplyBody {
  siteId: string;
  shortcut: string;
  content: string;
  /** Left out: the whole team's, which not everybody may change. */
  personal?: boolean;
}

/** What changes of a canned reply. */
export interface ReplyPatch extends Partial<Pick<ReplyBody, 'shortcut' | 'content'>> {
  /** The addresses of the files that stay; all others are removed. */
  files?: string[];
}

/** What an import does, or would do; a file with errors changes nothing. */
export interface ReplyImport {
  added: number;
  changed: number;
  /** Rows of replies that are there already. */
  unchanged: number;
  /** The first of them, by the line on which their row begins. */
  errors: ({ line: number; message: string } & MessageParts)[];
}

/** The REST calls of canned replies. */
export interface RepliesApi {
  /** The team's and the caller's own, sorted by shortcut; `q` is the beginning of the shortcut. */
  'GET /canned-replies': { query: PageQuery & { siteId: string; q?: string }; data: { replies: CannedReply[] } & Page };
  'POST /canned-replies': { body: ReplyBody; data: { reply: CannedReply } };
  'PATCH /canned-replies/:id': { body: ReplyPatch; data: { reply: CannedReply } };
  'DELETE /canned-replies/:id': { data: Record<string, never> };
  /** The body is the file's bytes. */
  'POST /canned-replies/:id/files': { query: { name?: string }; data: { reply: CannedReply } };
  /** Answers a CSV file with the columns `shortcut`, `content` and `personal`, as an import takes it. */
  'GET /canned-replies/export': { query: { siteId: string }; data: never };
  /** The body is a CSV file (RFC 4180). Replies with the same shortcut are replaced. `dryRun`: nothing is stored. */
  'POST /canned-replies/import': { query: { siteId: string; dryRun?: 'yes' }; data: ReplyImport };
}
