import { Schema, type Types } from 'mongoose';
import { defineModel } from '../connection.ts';
import { createDocumentCache } from '../documentCache.ts';
import type { NotificationSettings, WidgetSettings } from '../settings/contract.ts';
import { type PlatformRole, SESSION_TIMEOUT_HOURS_DEFAULT, type SessionEndReason } from './contract.ts';

declare module '../events.ts' {
  interface Events {
    signedIn: { userId: string };
    /** Too many wrong passwords for one e-mail; told once for each stretch of refusals. */
    signInsRefused: { userId: string | null };
    sessionEnded: { sessionId: string; userId: string; reason: SessionEndReason };
    passwordChanged: { userId: string };
    /** A link for a new password: mailed, or printed for whoever runs the server. */
    resetLinkMade: { userId: string; by: 'mail' | 'operator' };
    passwordReset: { userId: string };
    /** Made a platform admin by whoever runs the server. */
    accountPromoted: { userId: string };
    /** The account or one of its settings; `fields` names what changed. */
    accountChanged: { userId: string; fields: string[] };
  }
}

/** The second step of signing in, as stored. */
export interface TwoFactorDoc {
  /** The authenticator's secret, sealed with `DATA_KEY`. */
  secret: string;
  /** The newest step of time whose code was used: none up to it works again. */
  lastStep: number;
  /** Hashes of the recovery codes that are left. */
  recovery: string[];
  since: Date;
}

/** An account as stored. */
export interface UserDoc {
  _id: Types.ObjectId;
  name: string;
  /** Trimmed and lower-cased. */
  email: string;
  passwordHash: string;
  role: PlatformRole;
  /** Set on the instance's first account only; unique, so that two at once cannot both be first. */
  founder?: boolean;
  /** The key of the picture's file. */
  avatar?: string | null;
  /** Whether this person takes chats while connected. */
  available: boolean;
  sessionTimeoutHours: number;
  /** What was chosen of these two sections; the rest is as `SETTINGS_DEFAULTS` says. */
  widget?: Partial<WidgetSettings>; // its logo is the key of a file
  notifications?: Partial<NotificationSettings>;
  /** There while two-factor sign-in is on. */
  twoFactor?: TwoFactorDoc;
  /** A secret, sealed, that was shown and waits for its first code. */
  twoFactorSetup?: { secret: string; at: Date };
  /** Hashes of the tokens of browsers that have signed in, oldest first. */
  knownDevices?: string[];
  createdAt: Date;
  /** Since when a platform admin lets nobody in here. */
  suspendedAt?: Date;
  /** When the account was signed in to or out of last. */
  lastSeenAt?: Date;
  /** Set first when an account is deleted: nobody signs in any more while what belongs to it goes. */
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
    passwordHash: { type: String, required: true },
    role: { type: String, enum: ['user', 'parley_admin'] as const, required: true },
    founder: { type: Boolean },
    avatar: { type: String },
    available: { type: Boolean, required: true, default: true },
    sessionTimeoutHours: { type: Number, required: true, default: SESSION_TIMEOUT_HOURS_DEFAULT },
    widget: { title: String, buttonText: String, position: String, primaryColor: String, logo: String },
    notifications: { emailNotifications: Boolean, browserNotifications: Boolean, soundEnabled: Boolean },
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
userSchema.index({ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $exists: true } } });

/** Who answers lately. */
export const userCache = createDocumentCache<UserDoc>(userSchema, () => UserModel);
export const UserModel = defineModel<UserDoc>('User', userSchema, 'users');

/** A signed-in device as stored. */
export interface SessionDoc {
  _id: Types.ObjectId;
  user: Types.ObjectId;
  /** The generation of the newest token; the one before it lives on until `graceUntil`. */
  generation: number;
  graceUntil: Date;
  lastUsedAt: Date;
  /** The absolute cap; the store drops the session then. */
  expiresAt: Date;
  createdAt: Date;
  userAgent: string;
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
  },
  { versionKey: false },
);
sessionSchema.index({ user: 1, lastUsedAt: -1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Who calls lately. */
export const sessionCache = createDocumentCache<SessionDoc>(sessionSchema, () => SessionModel);
export const SessionModel = defineModel<SessionDoc>('Session', sessionSchema, 'sessions');

/** A link for a new password, as stored. */
interface ResetDoc {
  /** SHA-256 of its token. */
  _id: string;
  user: Types.ObjectId;
  expiresAt: Date;
}

const resetSchema = new Schema<ResetDoc>(
  {
    _id: { type: String, required: true },
    user: { type: Schema.Types.ObjectId, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
);
resetSchema.index({ user: 1 });
resetSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const ResetModel = defineModel<ResetDoc>('Reset', resetSchema, 'resets');
