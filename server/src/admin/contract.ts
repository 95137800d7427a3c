import type { PlatformRole } from '../auth/contract.ts';
import type { Page, PageQuery } from '../http/contract.ts';

/** The figures of the whole instance. Machines' chats are counted among the messages only. */
export interface PlatformFigures {
  accounts: number;
  sites: number;
  messages: number;
  /** Chats that began, of the last two weeks, oldest day first; those of sites deleted since are counted. */
  perDay: { day: string; chats: number }[];
  /** Open connections to this process. */
  sockets: { dashboards: number; widgets: number };
  version: string;
  /** When this process started; ISO 8601 UTC. */
  startedAt: string;
  /** `disk` null: the database does not say. In bytes. */
  storage: { engine: StorageEngine; bytes: number; disk: { used: number; total: number } | null };
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
  /** How many sites' teams the account is on. */
  sites: number;
  /** ISO 8601 UTC, as is `lastSeenAt`. */
  createdAt: string;
  /** Null: not since that is remembered. */
  lastSeenAt: string | null;
}

/** Which accounts: those whose name and e-mail have words that begin like these, or all, newest first. */
export interface AccountQuery extends PageQuery {
  search?: string;
}

/** A suspended account cannot sign in, and what it had claimed waits again. */
export interface AccountPatch {
  suspended?: boolean;
  role?: PlatformRole;
}

/** A person or site in the audit log; the name is null where it is gone, and for visitors. */
export interface Named {
  _id: string;
  name: string | null;
}

/** Who did what to whom, and where. */
export interface AuditEntry {
  _id: string;
  /** ISO 8601 UTC */
  at: string;
  /** Like `member_removed`. */
  action: string;
  /** Null: nobody who is signed in. */
  actor: Named | null;
  site: Named | null;
  subject: Named | null;
  detail: { role?: string; reason?: string; fields?: string[] };
}

/** The calls of the platform's admins. */
export interface AdminApi {
  'GET /admin/overview': { query: { tz?: string }; data: PlatformFigures };
  'GET /admin/users': { query: AccountQuery; data: { users: PlatformAccount[] } & Page };
  'PATCH /admin/users/:id': { body: AccountPatch; data: { user: PlatformAccount } };
  'GET /admin/audit': { query: PageQuery; data: { entries: AuditEntry[] } & Page };
}
