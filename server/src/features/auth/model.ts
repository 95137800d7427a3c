import { Schema, type Types } from 'mongoose';
import type { NotificationSettings, WidgetSettings } from '#features/settings/contract';
import { createDocumentCache } from '#platform/cache';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { type Language, type PlatformRole, SESSION_TIMEOUT_HOURS_DEFAULT, type SessionEndReason } from './contract.ts';

declare module '#platform/events' {
  interface Events {
    /** @param by with what; absent: the password */
    signedIn: { userId: string; by?: 'oidc' };
    /** Too many wrong passwords for one e-mail; emitted once for each series of refusals. */
    signInsRefused: { userId: string | null };
    sessionEnded: { sessionId: string; userId: string; reason: SessionEndReason };
    passwordChanged: { userId: string };
    /** A link for a new password was made: mailed, or printed for the server's operator. */
    resetLinkMade: { userId: string; by: 'mail' | 'operator' };
    passwordReset: { userId: string };
    /** The account has another address now. @param from the former one; null: it was never proved */
    emailChanged: { userId: string; from: string | null };
    /** Made a platform admin by the server's operator. */
    accountPromoted: { userId: string };
    /** The account or one of its settings changed; `fields` names what. */
    accountChanged: { userId: string; fields: string[] };
  }
}

events.crossesNodes('sessionEnded');
events.crossesNodes('accountChanged');

/** The second step of sign-in, as stored. */
export interface TwoFactorDoc {
  /** The authenticator's secret, sealed with `DATA_KEY`. */
  secret: string;
  /** The newest time step whose code was used: codes of this step or an earlier one are refused, so none works twice. */
  lastStep: number;
  /** Hashes of the unused recovery codes. */
  recovery: string[];
  since: Date;
}

/** No password fits it: for accounts that were made by signing in with the OpenID Connect provider. */
export const NO_PASSWORD = '!';

/** Whether an account has a password at all. */
export const hasPassword = ({ passwordHash }: Pick<UserDoc, 'passwordHash'>) => passwordHash !== NO_PASSWORD;

/** Whom the provider knows an account as: the two together stay the same when a name or an e-mail changes. */
export interface OidcConnection {
  issuer: string;
  subject: string;
  since: Date;
}

/** An account as stored. */
export interface UserDoc {
  _id: Types.ObjectId;
  name: string;
  /** Trimmed and lower-cased. */
  email: string;
  /**
   * The owner has not followed a link mailed to the address yet, so that nothing else is mailed there. Absent where no mail could
   * be sent, and in accounts of versions that asked for no proof.
   */
  unprovedEmail?: boolean;
  /** `NO_PASSWORD`: the account has none. */
  passwordHash: string;
  /** The account of the OpenID Connect provider with which this person signs in. */
  oidc?: OidcConnection;
  role: PlatformRole;
  /** Set on the instance's first account only. The field is unique, so two sign-ups at once cannot both be first. */
  founder?: boolean;
  /** The key of the picture's file. */
  avatar?: string | null;
  /** Whether this person takes chats while connected. */
  available: boolean;
  /** Present if this person was online when the server last stopped, with the time of that. */
  onlineAt?: Date;
  /** After how long without input this person is away; absent or 0: never. */
  autoAwayMinutes?: number;
  /** Whether single letters and signs are shortcuts in this person's dashboard; absent: yes. */
  singleKeyShortcuts?: boolean;
  /** The language of this person's dashboard; absent or `auto`: that of the browser. */
  language?: Language | 'auto';
  sessionTimeoutHours: number;
  /** What the owner chose in these two sections; `SETTINGS_DEFAULTS` fills in the rest. */
  widget?: Partial<WidgetSettings>; // its logo is the key of a file
  notifications?: Partial<NotificationSettings>;
  /** By the id of a site, the id of the canned reply that its notifications offer to send. */
  quickReplies?: Record<string, string>;
  /** Present while two-factor sign-in is on. */
  twoFactor?: TwoFactorDoc;
  /** A secret, sealed, that was shown for set-up and is not confirmed by a first code yet. */
  twoFactorSetup?: { secret: string; at: Date };
  /** Hashes of the tokens of browsers that have signed in before, oldest first. */
  knownDevices?: string[];
  createdAt: Date;
  /** Since when the account is suspended by a platform admin: sign-in is refused. */
  suspendedAt?: Date;
  /** When the account last signed in or out. */
  lastSeenAt?: Date;
  /** A tombstone, set before anything else is deleted: sign-in is refused while the account's data is removed. */
  deletedAt?: Date;
}

const twoFactorSchema = new Schema<TwoFactorDoc>(
  { secret: String, lastStep: Number, recovery: [String], since: Date },
  { _id: false },
);

const userSchema = new Schema<UserDoc>(
  {
    name: { type: String, required: true },
    email: { type: String, required: true, unique: true },
    unprovedEmail: { type: Boolean },
    passwordHash: { type: String, required: true },
    oidc: { type: new Schema<OidcConnection>({ issuer: String, subject: String, since: Date }, { _id: false }) },
    role: { type: String, enum: ['user', 'parley_admin'] as const, required: true },
    founder: { type: Boolean },
    avatar: { type: String },
    available: { type: Boolean, required: true, default: true },
    onlineAt: { type: Date },
    autoAwayMinutes: { type: Number },
    singleKeyShortcuts: { type: Boolean },
    language: { type: String },
    sessionTimeoutHours: { type: Number, required: true, default: SESSION_TIMEOUT_HOURS_DEFAULT },
    widget: { title: String, buttonText: String, position: String, primaryColor: String, logo: String },
    notifications: {
      emailNotifications: Boolean,
      browserNotifications: Boolean,
      soundEnabled: Boolean,
      answerByMail: Boolean,
    },
    quickReplies: { type: Schema.Types.Mixed },
    twoFactor: { type: twoFactorSchema },
    twoFactorSetup: { type: new Schema({ secret: String, at: Date }, { _id: false }) },
    knownDevices: { type: [String], default: undefined },
    createdAt: { type: Date, required: true },
    suspendedAt: { type: Date },
    lastSeenAt: { type: Date },
    deletedAt: { type: Date },
  },
  { versionKey: false },
);
userSchema.index({ founder: 1 }, { unique: true, partialFilterExpression: { founder: true } });
userSchema.index({ role: 1 }, { name: 'platform_admins', partialFilterExpression: { role: 'parley_admin' } });
userSchema.index({ onlineAt: 1 }, { partialFilterExpression: { onlineAt: { $exists: true } } });
userSchema.index(
  { 'oidc.subject': 1, 'oidc.issuer': 1 },
  { unique: true, partialFilterExpression: { 'oidc.subject': { $exists: true } } },
);
userSchema.index({ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $exists: true } } });

/** Accounts read recently. */
export const userCache = createDocumentCache<UserDoc>(userSchema, () => UserModel);
export const UserModel = defineModel<UserDoc>('User', userSchema, 'users');

/** A signed-in device as stored. */
export interface SessionDoc {
  _id: Types.ObjectId;
  user: Types.ObjectId;
  /** The generation of the newest token; the one before it works until `graceUntil`. */
  generation: number;
  graceUntil: Date;
  lastUsedAt: Date;
  /** The absolute end of the session; the store deletes it then. */
  expiresAt: Date;
  createdAt: Date;
  userAgent: string;
  /** Present where it was opened with the OpenID Connect provider: the provider's session, empty where it names none. */
  oidcSid?: string;
}

const sessionSchema = new Schema<SessionDoc>(
  {
    user: { type: Schema.Types.ObjectId, required: true },
    generation: { type: Number, required: true },
    graceUntil: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    userAgent: { type: String, default: '' },
    oidcSid: { type: String },
  },
  { versionKey: false },
);
sessionSchema.index({ user: 1, lastUsedAt: -1 });
sessionSchema.index({ oidcSid: 1 }, { partialFilterExpression: { oidcSid: { $exists: true } } });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Sessions used recently. */
export const sessionCache = createDocumentCache<SessionDoc>(sessionSchema, () => SessionModel);
export const SessionModel = defineModel<SessionDoc>('Session', sessionSchema, 'sessions');

/** A link for a new password, as stored. */
interface ResetDoc {
  /** SHA-256 of the link's token. */
  _id: string;
  user: Types.ObjectId;
  /** Where it was mailed; absent: the server's operator passes it on. */
  mailedTo?: string;
  expiresAt: Date;
}

const resetSchema = new Schema<ResetDoc>(
  {
    _id: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
    mailedTo: { type: String },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
resetSchema.index({ user: 1 });
resetSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const ResetModel = defineModel<ResetDoc>('Reset', resetSchema, 'resets');
