import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Types } from 'mongoose';
import { API_KEY_PREFIX, type ApiKeyScope } from '#features/apikeys/contract';
import { removeOne, throughPrimaryChange } from '#platform/database';
import { events } from '#platform/events';
import { type AppError, forbidden, sentence, unauthorized } from '#platform/http';
import { HOUR_MS } from '#platform/time';
import type { SessionEndReason } from './contract.ts';
import { type SessionDoc, SessionModel, sessionCache, type UserDoc, UserModel, userCache } from './model.ts';

const SESSION_CAP_MS = 30 * 24 * HOUR_MS;
/** How long the token before a refresh still works, so that the user's other tabs can pick up the new one. */
const REFRESH_GRACE_MS = 60_000;
/** The time of last use is written at most this often, so that requests do not each cost a write. */
const TOUCH_EVERY_MS = 60_000;
const USER_AGENT_MAX = 300;
/** A list of devices shows at most this many. */
const LISTED_MAX = 100;

const SESSION_ID = /^[0-9a-f]{24}$/;

/** What a genuine token names: its session and its generation. */
export interface SessionKey {
  sessionId: string;
  /** Counts the refreshes: each makes a token of the next generation. */
  generation: number;
}

/** The person who calls, as every guard and action receives it. */
export interface Caller {
  user: UserDoc;
  /** To what an API key limits the person's rights; absent: the person is signed in. */
  key?: KeyRights;
}

/** A signed-in person. */
export interface SessionCaller extends Caller {
  sessionId: string;
}

/** What an API key may do at most. */
export interface KeyRights {
  _id: Types.ObjectId;
  scope: ApiKeyScope;
  /** Hex ids; null: all sites of the person. */
  sites: ReadonlySet<string> | null;
}

/** Opens, checks and ends sessions. A token names a session and a generation, and nothing else in it is trusted. */
export interface Sessions {
  /**
   * Signs a device in.
   * @param oidcSid as `SessionDoc` has it
   * @returns its token
   * @throws AppError 401 when the account was deleted or its password changed meanwhile
   */
  open(user: UserDoc, userAgent: string | undefined, oidcSid?: string): Promise<string>;
  /**
   * What a token names, whether or not that session still exists.
   * @throws AppError 401 when this server did not sign it, 403 for an API key
   */
  keyOf(token: unknown): SessionKey;
  /**
   * The person whose session it is; `use: false` does not count as use.
   * @throws AppError 401 when the session has ended
   */
  caller(key: SessionKey, options?: { use: boolean }): Promise<SessionCaller>;
  /** The person of a session that may still be used, which does not count as use; null: it has ended. */
  find(sessionId: string): Promise<SessionCaller | null>;
  /** Whether a session may still be used. */
  isAlive(sessionId: string): Promise<boolean>;
  /** Makes a new token for the same session; the old one still works for `REFRESH_GRACE_MS`. @throws AppError 401 */
  refresh(caller: SessionCaller): Promise<string>;
  /** The living sessions of a user, most recently used first. */
  list(user: UserDoc): Promise<SessionDoc[]>;
  /** Ends one session of a user. @returns whether there was one */
  end(userId: Types.ObjectId, sessionId: string, reason: SessionEndReason): Promise<boolean>;
  /** Ends every session of a user, or all but one. */
  endAll(userId: Types.ObjectId, reason: SessionEndReason, exceptId?: string): Promise<void>;
  /** Drops what is cached of a user. Needed after each change of the account, or guards would see the old one. */
  forgetUser(userId: string): void;
}

interface Claims {
  sid: string;
  gen: number;
}

/** What sessions need from the server. */
interface SessionOptions {
  /** Signs the tokens. */
  secret: string;
  now: () => number;
  /** With more sessions than this, the least recently used ones are ended (LRU). */
  maxPerUser?: number;
}

/** Opens, checks and ends the sessions of this server's accounts. */
export function createSessions({ secret, now, maxPerUser = Number.POSITIVE_INFINITY }: SessionOptions): Sessions {
  // As a key object: given a string, the library first tries, slowly and for each token, to read it as a public key.
  const key = createSecretKey(secret, 'utf8');

  function sign(session: SessionDoc, generation: number): string {
    const claims: Claims = { sid: session._id.toHexString(), gen: generation };
    const exp = Math.floor(session.expiresAt.getTime() / 1000);
    return jwt.sign({ ...claims, exp }, key, { algorithm: 'HS256' });
  }

  function keyOf(token: unknown): SessionKey {
    if (typeof token !== 'string' || token === '') throw unauthorized();
    if (isApiKey(token))
      throw forbidden('API_KEY_REFUSED', sentence('This is not possible with an API key. Please log in.'));
    try {
      const claims = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp: Math.floor(now() / 1000) });
      if (typeof claims === 'object' && SESSION_ID.test(claims.sid) && typeof claims.gen === 'number')
        return { sessionId: claims.sid, generation: claims.gen };
    } catch {
      // A token that does not verify is answered below like a missing one.
    }
    throw ended();
  }

  async function load(sessionId: string): Promise<{ session: SessionDoc; user: UserDoc } | null> {
    const session = await sessionCache.find(sessionId);
    const user = session && (await userCache.find(session.user.toHexString()));
    if (!session || !user || user.deletedAt || user.suspendedAt) return null;
    return session.expiresAt.getTime() > now() ? { session, user } : null;
  }

  async function touch(session: SessionDoc): Promise<void> {
    const long = new Date(now() - TOUCH_EVERY_MS);
    if (session.lastUsedAt > long) return;
    await SessionModel.updateOne(
      { _id: session._id, lastUsedAt: { $lte: long } },
      { $set: { lastUsedAt: new Date(now()) } },
    );
  }

  async function end(user: Types.ObjectId, sessionId: string, reason: SessionEndReason): Promise<boolean> {
    const session = { _id: sessionId, user };
    if (!(await SessionModel.exists(session))) return false;
    // The answer may be lost with the connection, and the second try find nothing: its sockets are told all the same.
    await throughPrimaryChange(() => removeOne(SessionModel, session));
    await events.emit('sessionEnded', { sessionId, userId: user.toHexString(), reason });
    return true;
  }

  async function endOldest(user: Types.ObjectId, newest: Types.ObjectId): Promise<void> {
    if (maxPerUser === Number.POSITIVE_INFINITY) return;
    const tooMany = await SessionModel.find({ user, _id: { $ne: newest } }, { _id: 1 })
      .sort({ lastUsedAt: -1 })
      .skip(maxPerUser - 1)
      .lean();
    await Promise.all(tooMany.map(({ _id }) => end(user, _id.toHexString(), 'expired')));
  }

  /** A session that was last used before this moment has ended. */
  const aliveSince = (user: UserDoc) => new Date(now() - user.sessionTimeoutHours * HOUR_MS);

  async function find(sessionId: string): Promise<SessionCaller | null> {
    const found = await load(sessionId);
    const isAlive = found && found.session.lastUsedAt > aliveSince(found.user);
    return isAlive ? { user: found.user, sessionId } : null;
  }

  return {
    async open(user, userAgent = '', oidcSid) {
      const at = now();
      const session = await SessionModel.create({
        user: user._id,
        generation: 1,
        graceUntil: new Date(0),
        lastUsedAt: new Date(at),
        expiresAt: new Date(at + SESSION_CAP_MS),
        createdAt: new Date(at),
        userAgent: userAgent.slice(0, USER_AGENT_MAX),
        ...(oidcSid !== undefined && { oidcSid }),
      });
      // A password change ends only the sessions that exist then. If it came since the comparison, this one ends itself.
      const { _id, passwordHash } = user;
      if (
        !(await UserModel.exists({ _id, passwordHash, deletedAt: { $exists: false }, suspendedAt: { $exists: false } }))
      ) {
        await end(_id, session._id.toHexString(), 'password_changed');
        throw unauthorized();
      }
      await endOldest(_id, session._id);
      return sign(session.toObject(), 1);
    },

    keyOf,

    async caller({ sessionId, generation }, { use } = { use: true }) {
      const found = await load(sessionId);
      if (!found || !isCurrent(found.session, generation, now())) throw ended();
      if (found.session.lastUsedAt <= aliveSince(found.user)) {
        await end(found.user._id, sessionId, 'expired');
        throw ended();
      }
      // A failed write of the last use (full disk, stalled store) must not keep people from reading.
      if (use) await touch(found.session).catch((error) => events.fail(error, 'last use of a session'));
      return { user: found.user, sessionId };
    },

    find,

    isAlive: async (sessionId) => (await find(sessionId)) !== null,

    async refresh({ sessionId }) {
      const session = await SessionModel.findOneAndUpdate(
        { _id: sessionId },
        { $inc: { generation: 1 }, $set: { graceUntil: new Date(now() + REFRESH_GRACE_MS) } },
        { returnDocument: 'after' },
      ).lean<SessionDoc>();
      if (!session) throw unauthorized();
      return sign(session, session.generation);
    },

    list: (user) =>
      SessionModel.find({ user: user._id, lastUsedAt: { $gt: aliveSince(user) }, expiresAt: { $gt: new Date(now()) } })
        .sort({ lastUsedAt: -1 })
        .limit(LISTED_MAX)
        .lean<SessionDoc[]>()
        .exec(),

    end,

    async endAll(user, reason, exceptId) {
      const sessions = await SessionModel.find({ user }, { _id: 1 }).lean();
      const ids = sessions.map(({ _id }) => _id.toHexString()).filter((id) => id !== exceptId);
      await Promise.all(ids.map((id) => end(user, id, reason)));
    },

    forgetUser: userCache.forget,
  };
}

/** Whether a token is to be taken for an API key. */
export const isApiKey = (token: string) => token.startsWith(API_KEY_PREFIX);

function ended(): AppError {
  return unauthorized(sentence('Your session has ended. Please log in again.'));
}

function isCurrent(session: SessionDoc, generation: number, now: number): boolean {
  if (generation === session.generation) return true;
  return generation === session.generation - 1 && now < session.graceUntil.getTime();
}
