import type { Device, SecondStep, User } from '../auth/contract.ts';
import type { Settings } from '../settings/contract.ts';
import type { SiteRole } from '../team/contract.ts';

/** The form that deletes the own account: the password again, and the second step where there is one. */
export interface LeaveBody extends SecondStep {
  currentPassword: string;
}

/** All that is kept of an account, for its owner to take along. What visitors and colleagues wrote is theirs. */
export interface AccountExport {
  profile: User & { createdAt: string };
  settings: Settings;
  twoFactor: { since: string; recoveryCodesLeft: number } | null;
  sessions: Device[];
  /** Devices that get push messages, by the service that delivers them. */
  pushDevices: { service: string; seenAt: string }[];
  memberships: { site: { _id: string; name: string }; role: SiteRole; isOwner: boolean }[];
  messages: OwnText[];
  notes: OwnText[];
}

/** A message or note of one's own. */
export interface OwnText {
  _id: string;
  chatId: string;
  siteId: string;
  content: string;
  createdAt: string;
}

/** The calls of taking one's data along and leaving. */
export interface AccountApi {
  /** Answers a file: an `AccountExport` as JSON. */
  'GET /auth/account/export': { data: never };
  'DELETE /auth/account': { body: LeaveBody; data: Record<string, never> };
}
