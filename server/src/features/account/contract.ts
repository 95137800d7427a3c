import type { ApiKey } from '#features/apikeys/contract';
import type { Confirmation, Device, User } from '#features/auth/contract';
import type { SavedView } from '#features/inbox/contract';
import type { Settings } from '#features/settings/contract';
import type { SiteRole } from '#features/team/contract';

/** All data kept of an account, for its owner to export. What visitors and colleagues wrote is left out. */
export interface AccountExport {
  profile: User & { createdAt: string };
  settings: Settings;
  twoFactor: { since: string; recoveryCodesLeft: number } | null;
  /** The account of the OpenID Connect provider with which the owner signs in. */
  oidc: { issuer: string; subject: string; since: string } | null;
  sessions: Device[];
  /** Without the keys themselves, which are not stored. */
  apiKeys: ApiKey[];
  /** Devices that get push messages, named by the service that delivers them. */
  pushDevices: { service: string; seenAt: string }[];
  memberships: { site: { _id: string; name: string }; role: SiteRole; isOwner: boolean }[];
  savedViews: SavedView[];
  messages: OwnText[];
  notes: OwnText[];
  /** The personal canned replies. */
  replies: { siteId: string; shortcut: string; content: string }[];
}

/** A message or note that the account's owner wrote. */
export interface OwnText {
  _id: string;
  chatId: string;
  siteId: string;
  content: string;
  createdAt: string;
}

/** The REST calls that export and delete one's own account. */
export interface AccountApi {
  /** Answers a file: an `AccountExport` as JSON. */
  'GET /auth/account/export': { data: never };
  'DELETE /auth/account': { body: Confirmation; data: Record<string, never> };
}
