/** bcrypt reads 72 bytes and no more, so a longer password is refused rather than cut. */
export const PASSWORD_MIN_BYTES = 8;
export const PASSWORD_MAX_BYTES = 72;
export const NAME_MAX_LENGTH = 100;
export const EMAIL_MAX_LENGTH = 254;

/** The choices of the Security tab: hours without use after which a session ends. */
export const SESSION_TIMEOUT_HOURS = [1, 6, 12, 24, 168] as const;
export const SESSION_TIMEOUT_HOURS_DEFAULT = 24;

/** The browser's local-storage key of its device token. */
export const DEVICE_KEY = 'parley_device';

/** The browser's local-storage key of the bearer token. */
export const TOKEN_KEY = 'parley_token';

/** What an account may do on the whole instance; what it may do on a site is its `SiteRole` there. */
export type PlatformRole = 'user' | 'parley_admin';

/** The signed-in account as it sees itself. */
export interface User {
  _id: string;
  name: string;
  email: string;
  role: PlatformRole;
  /** URL of the picture, or null: initials are drawn. */
  avatar: string | null;
  /** Whether this person takes chats while a dashboard is open. */
  available: boolean;
}

/** Random characters that a browser makes once and keeps. */
export interface KnownDevice {
  /** Strangers' wrong passwords do not keep a browser out that has signed in to the account before. */
  deviceToken?: string;
}

/** The register form, sent whole. */
export interface RegisterBody extends KnownDevice {
  name: string;
  email: string;
  password: string;
  confirmPassword: string;
  /** The id of an invite's link: the way in where sign-up is for the invited. */
  invite?: string;
  /** Printed where Parley was started; only the first account is asked for it. */
  foundingCode?: string;
}

/** The second step of an account with two-factor sign-in: either of the two. */
export interface SecondStep {
  /** Six digits of the authenticator app. */
  code?: string;
  /** One of the recovery codes; it works once. */
  recoveryCode?: string;
}

/** The login form; without the second step of an account that has one, 401 `TWO_FACTOR_REQUIRED` asks for it. */
export interface LoginBody extends SecondStep, KnownDevice {
  email: string;
  password: string;
}

/** What changes of the own account; a new e-mail needs the current password. */
export interface ProfilePatch {
  name?: string;
  email?: string;
  /** A data URL of a PNG, JPEG, WebP or GIF; null takes the picture away. */
  avatar?: string | null;
  currentPassword?: string;
}

/** The password form; it signs out every other session. */
export interface PasswordBody {
  currentPassword: string;
  newPassword: string;
}

/** How long a link for a new password works. */
export const RESET_LINK_HOURS = 1;

/** The form behind the link for a new password; the token is what stands after `#` in it. */
export interface ResetBody extends KnownDevice {
  token: string;
  newPassword: string;
}

/** A signed-in user and the bearer token of the session. */
export interface SignedIn {
  user: User;
  token: string;
}

/** A device that is signed in to the account. */
export interface Device {
  _id: string;
  /** Whether it is the one that asks. */
  current: boolean;
  userAgent: string;
  /** ISO 8601 UTC, as is `lastUsedAt` */
  createdAt: string;
  lastUsedAt: string;
}

/** The calls of accounts and sessions. */
export interface AuthApi {
  'POST /auth/register': { body: RegisterBody; data: SignedIn };
  /** Whether the next account is the first one, and has to give the founding code. */
  'GET /auth/registration': { data: { needsFoundingCode: boolean } };
  'POST /auth/login': { body: LoginBody; data: SignedIn };
  /** `mailed`: whether this server sends mail at all; nothing tells whether the address has an account. */
  'POST /auth/forgot': { body: { email: string }; data: { mailed: boolean } };
  'POST /auth/reset': { body: ResetBody; data: Record<string, never> };
  'GET /auth/profile': { data: { user: User } };
  'PUT /auth/profile': { body: ProfilePatch; data: { user: User } };
  'PUT /auth/password': { body: PasswordBody; data: Record<string, never> };
  'POST /auth/refresh': { data: SignedIn };
  'POST /auth/logout': { data: Record<string, never> };
  'GET /auth/sessions': { data: { sessions: Device[] } };
  'DELETE /auth/sessions/:id': { data: Record<string, never> };
}

/** Why a dashboard socket was ended by the server. */
export type SessionEndReason = 'signed_out' | 'password_changed' | 'expired' | 'suspended' | 'account_deleted';
