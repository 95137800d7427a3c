/** In bytes, since bcrypt reads 72 bytes at most: a longer password is refused rather than cut without notice. */
export const PASSWORD_MIN_BYTES = 8;
export const PASSWORD_MAX_BYTES = 72;
export const NAME_MAX_LENGTH = 100;
export const EMAIL_MAX_LENGTH = 254;

/** The choices of the Security tab: hours without use after which a session ends. */
export const SESSION_TIMEOUT_HOURS = [1, 6, 12, 24, 168] as const;
export const SESSION_TIMEOUT_HOURS_DEFAULT = 24;

/** The local-storage key under which a browser keeps its device token. */
export const DEVICE_KEY = 'parley_device';

/** The local-storage key under which a browser keeps its bearer token. */
export const TOKEN_KEY = 'parley_token';

/** The languages that the dashboard speaks, by their ISO codes. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The role on the whole instance; the role on a single site is the `SiteRole` there. */
export type PlatformRole = 'user' | 'parley_admin';

/** The signed-in account as its owner sees it. */
export interface User {
  _id: string;
  name: string;
  email: string;
  role: PlatformRole;
  /** URL of the picture; null: initials are drawn. */
  avatar: string | null;
  /** Whether this person takes chats while a dashboard is open. */
  available: boolean;
  /** After how many minutes without input this person is away; absent: never. */
  autoAwayMinutes?: number;
  /** False: single letters and signs are no shortcuts in this person's dashboard; absent: they are. */
  singleKeyShortcuts?: false;
  /** The language of this person's dashboard; absent: that of the browser. */
  language?: Language;
  /** Present until the owner has followed the link that was mailed to the address; no other mails are sent there before. */
  unprovedEmail?: true;
}

/** A random token that a browser makes once and keeps, to be recognised at its next sign-in. */
export interface KnownDevice {
  /** With it, other people's wrong guesses do not block a browser that has signed in to the account before. */
  deviceToken?: string;
}

/** The register form as it was filled in, with the repeated password. */
export interface RegisterBody extends KnownDevice {
  name: string;
  email: string;
  password: string;
  confirmPassword: string;
  /** The id from an invite's link: required where sign-up is only for the invited. */
  invite?: string;
  /** The code printed where Parley was started; required for the first account only. */
  foundingCode?: string;
}

/** The second step of an account with two-factor sign-in: one of the two is enough. */
export interface SecondStep {
  /** Six digits of the authenticator app. */
  code?: string;
  /** One of the recovery codes; each works once. */
  recoveryCode?: string;
}

/** For how long after signing in with the provider an account without a password needs no further confirmation, in minutes. */
export const RECENT_SIGN_IN_MINUTES = 10;

/**
 * What is asked again of a signed-in person: the password, and the second step where the account has one. An account without a
 * password must have signed in less than `RECENT_SIGN_IN_MINUTES` ago.
 */
export interface Confirmation extends SecondStep {
  currentPassword?: string;
}

/** The login form. Without the second step of an account that has one, it is answered 401 `TWO_FACTOR_REQUIRED`. */
export interface LoginBody extends SecondStep, KnownDevice {
  email: string;
  password: string;
}

/** Changes of one's own account; a new e-mail needs the confirmation. */
export interface ProfilePatch extends Partial<Confirmation> {
  name?: string;
  email?: string;
  /** A data URL of a PNG, JPEG, WebP or GIF; null removes the picture. */
  avatar?: string | null;
}

/** The form for a new password; it signs out every other session. */
export interface PasswordBody extends Confirmation {
  newPassword: string;
}

/** How long a link for a new password works, in hours. */
export const RESET_LINK_HOURS = 1;

/** How long a link that proves an address works, in days. */
export const EMAIL_LINK_DAYS = 3;

/** The form behind the link for a new password; the token is the part of the link after `#`. */
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
  /** Whether it is the device that sends this request. */
  current: boolean;
  userAgent: string;
  /** ISO 8601 UTC, as is `lastUsedAt` */
  createdAt: string;
  lastUsedAt: string;
}

/** The REST calls of accounts and sessions. */
export interface AuthApi {
  'POST /auth/register': { body: RegisterBody; data: SignedIn };
  /** Whether the next account is the first one and must give the founding code. */
  'GET /auth/registration': { data: { needsFoundingCode: boolean } };
  'POST /auth/login': { body: LoginBody; data: SignedIn };
  /** `mailed`: whether this server sends mail at all. The answer never tells whether the address has an account. */
  'POST /auth/forgot': { body: { email: string }; data: { mailed: boolean } };
  'POST /auth/reset': { body: ResetBody; data: Record<string, never> };
  /** Mails the link that proves one's own address once more. */
  'POST /auth/email/link': { data: { to: string } };
  /** The token is the part of that link after `#`. */
  'POST /auth/email/confirm': { body: { token: string }; data: { email: string } };
  'GET /auth/profile': { data: { user: User } };
  'PUT /auth/profile': { body: ProfilePatch; data: { user: User } };
  'PUT /auth/password': { body: PasswordBody; data: Record<string, never> };
  'POST /auth/refresh': { data: SignedIn };
  'POST /auth/logout': { data: Record<string, never> };
  'GET /auth/sessions': { data: { sessions: Device[] } };
  'DELETE /auth/sessions/:id': { data: Record<string, never> };
}

/** Why the server ended a dashboard's session. */
export type SessionEndReason = 'signed_out' | 'password_changed' | 'expired' | 'suspended' | 'account_deleted';
