import type { PlatformRole } from '#features/auth/contract';
import type { BackupReport } from '#features/backups/contract';
import type { MailInState } from '#features/mailin/contract';
import type { ClusterNode, OpenSockets } from '#platform/cluster/contract';
import type { Page, PageQuery } from '#platform/http/contract';

/** The figures of the whole instance. Chats of bots are counted among the messages only. */
export interface PlatformFigures {
  accounts: number;
  sites: number;
  messages: number;
  /** Chats begun on each of the last 14 days, oldest day first, including chats of sites deleted since. */
  perDay: { day: string; chats: number }[];
  /** To all nodes together. */
  sockets: OpenSockets;
  version: string;
  /** When this process started; ISO 8601 UTC. */
  startedAt: string;
  /** All processes of this Parley; empty: the embedded store has only this one. */
  nodes: ClusterNode[];
  /** In bytes. `disk` null: the database does not report it. */
  storage: { engine: StorageEngine; bytes: number; disk: { used: number; total: number } | null };
  /** Null: automatic backups are not switched on. */
  backups: BackupReport | null;
}

export type StorageEngine = 'embedded' | 'mongodb';

/** An account as the platform's admins see it. */
export interface PlatformAccount {
  _id: string;
  name: string;
  email: string;
  role: PlatformRole;
  suspended: boolean;
  twoFactorEnabled: boolean;
  /** How many teams the account is a member of. */
  sites: number;
  /** ISO 8601 UTC, as is `lastSeenAt`. */
  createdAt: string;
  /** ISO 8601 UTC; null: not seen since Parley began to record it. */
  lastSeenAt: string | null;
}

/** Which accounts: those whose name and e-mail have words that begin with these, or all, newest first. */
export interface AccountQuery extends PageQuery {
  search?: string;
}

/** A suspended account cannot sign in, and the chats that it had claimed wait for an agent again. */
export interface AccountPatch {
  suspended?: boolean;
  role?: PlatformRole;
}

/** A person or site in the audit log; the name is null where it was deleted, and for visitors. */
export interface NamedId {
  _id: string;
  name: string | null;
}

/** Who did what to whom, and where. */
export interface AuditEntry {
  _id: string;
  /** ISO 8601 UTC */
  at: string;
  /** How often the same person did the same within an hour, and when last; only if more than once. */
  times?: number;
  lastAt?: string;
  /** Such as `member_removed`. */
  action: string;
  /** Null: not done by a signed-in person. */
  actor: NamedId | null;
  site: NamedId | null;
  subject: NamedId | null;
  detail: { role?: string; reason?: string; fields?: string[] };
}

/** The REST calls of platform admins. */
export interface AdminApi {
  'GET /admin/overview': { query: { tz?: string }; data: PlatformFigures };
  'GET /admin/users': { query: AccountQuery; data: { users: PlatformAccount[] } & Page };
  'PATCH /admin/users/:id': { body: AccountPatch; data: { user: PlatformAccount } };
  /** How answers by mail come in; null: no way is set. */
  'GET /admin/mail-in': { data: { mailIn: MailInState | null } };
  'GET /admin/audit': { query: PageQuery; data: { entries: AuditEntry[] } & Page };
}
