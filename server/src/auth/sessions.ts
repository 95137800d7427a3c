import jwt from 'jsonwebtoken';
import { isValidObjectId, type Types } from 'mongoose';
import { bus } from '../bus.ts';
import { unauthorized } from '../http/errors.ts';
import type { SessionEndReason } from './contract.ts';
import { type SessionDoc, SessionModel, type UserDoc, UserModel } from './model.ts';

const HOUR_MS = 3_600_000;
const SESSION_CAP_MS = 30 * 24 * HOUR_MS;
/** How long the token before a refresh still works: for the user's other tabs. */
const REFRESH_GRACE_MS = 60_000;
/** How old a cached answer to 'is this session alive' may be. */
const CACHE_MS = 5_000;
const CACHE_MAX = 10_000;
/** Use is written down at most this often. */
const TOUCH_EVERY_MS = 60_000;
const USER_AGENT_MAX = 300;
/** More devices than this are not listed. */
const LISTED_MAX = 100;

/** A signed-in person, as every guard and action gets it. */
export interface Caller {
  user: UserDoc;
  sessionId: string;
}

/** Opens, checks and ends sessions. The token names a session and a generation, and nothing else in it is trusted. */
export interface Sessions {
  /** Signs a device in; gives its token. @throws AppError 401 when the account went or got another password meanwhile */
  open(user: UserDoc, userAgent: string | undefined): Promise<string>;
  /** Who holds this token; `use: false` does not count as use. @throws AppError 401 */
  caller(token: unknown, options?: { use: boolean }): Promise<Caller>;
  /** Whether a session may still be used. */
  isAlive(sessionId: string): Promise<boolean>;
  /** A new token for the same session; the old one lives on for a short grace. @throws AppError 401 */
  refresh(caller: Caller): Promise<string>;
  /** The living sessions of a user, newest use first. */
  list(user: UserDoc): Promise<SessionDoc[]>;
  /** Ends one session of a user; says whether there was one. */
  end(userId: Types.ObjectId, sessionId: string, reason: SessionEndReason): Promise<boolean>;
  /** Ends every session of a user, or all but one. */
  endAll(userId: Types.ObjectId, reason: SessionEndReason, exceptId?: string): Promise<void>;
  /** Forgets what is cached of a user, after a change of the account. */
  forgetUser(userId: string): void;
}

interface Claims {
  sid: string;
  gen: number;
}

/** Sessions signed with `secret`; `now` gives milliseconds. */
export function createSessions({ secret, now }: { secret: string; now: () => number }): Sessions {
  const cache = new Map<string, { session: SessionDoc; user: UserDoc; at: number }>();

  function sign(session: SessionDoc, generation: number): string {
    const claims: Claims = { sid: session._id.toHexString(), gen: generation };
    const exp = Math.floor(session.expiresAt.getTime() / 1000);
    return jwt.sign({ ...claims, exp }, secret, { algorithm: 'HS256' });
  }

  function claimsOf(token: unknown): Claims {
    if (typeof token !== 'string' || token === '') throw unauthorized();
    try {
      const claims = jwt.verify(token, secret, { algorithms: ['HS256'], clockTimestamp: Math.floor(now() / 1000) });
      if (typeof claims === 'object' && isValidObjectId(claims.sid) && typeof claims.gen === 'number')
        return { sid: String(claims.sid), gen: claims.gen };
    } catch {
      // A token that does not verify is no token: answered below like a missing one.
    }
    throw unauthorized('Your session has ended. Please log in again.');
  }

  async function load(sessionId: string): Promise<{ session: SessionDoc; user: UserDoc } | null> {
    const cached = cache.get(sessionId);
    if (cached && now() - cached.at < CACHE_MS) return cached;
    cache.delete(sessionId);
    const session = await SessionModel.findById(sessionId).lean<SessionDoc>();
    const user = session && (await UserModel.findById(session.user).lean<UserDoc>());
    if (!session || !user || user.deletedAt || user.suspendedAt) return null;
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(sessionId, { session, user, at: now() });
    return { session, user };
  }

  async function touch(session: SessionDoc): Promise<void> {
    if (now() - session.lastUsedAt.getTime() < TOUCH_EVERY_MS) return;
    session.lastUsedAt = new Date(now());
    await SessionModel.updateOne({ _id: session._id }, { $max: { lastUsedAt: session.lastUsedAt } });
  }

  async function end(user: Types.ObjectId, sessionId: string, reason: SessionEndReason): Promise<boolean> {
    const { deletedCount } = await SessionModel.deleteOne({ _id: sessionId, user });
    if (deletedCount === 0) return false;
    cache.delete(sessionId);
    await bus.tell('sessionEnded', { sessionId, userId: user.toHexString(), reason });
    return true;
  }

  /** Since when a session must have been used to be alive. */
  const aliveSince = (user: UserDoc) => new Date(now() - user.sessionTimeoutHours * HOUR_MS);

  return {
    async open(user, userAgent = '') {
      const at = now();
      const session = await SessionModel.create({
        user: user._id,
        generation: 1,
        graceUntil: new Date(0),
        lastUsedAt: new Date(at),
        expiresAt: new Date(at + SESSION_CAP_MS),
        createdAt: new Date(at),
        userAgent: userAgent.slice(0, USER_AGENT_MAX),
      });
      // Whoever changed the password since it was compared has ended the sessions that he found: this one ends itself.
      const { _id, passwordHash } = user;
      if (
        !(await UserModel.exists({ _id, passwordHash, deletedAt: { $exists: false }, suspendedAt: { $exists: false } }))
      ) {
        await end(_id, session._id.toHexString(), 'password_changed');
        throw unauthorized();
      }
      return sign(session.toObject(), 1);
    },

    async caller(token, { use } = { use: true }) {
      const { sid, gen } = claimsOf(token);
      const found = await load(sid);
      if (!found || !isCurrent(found.session, gen, now()))
        throw unauthorized('Your session has ended. Please log in again.');
      if (found.session.lastUsedAt <= aliveSince(found.user)) {
        await end(found.user._id, sid, 'expired');
        throw unauthorized('Your session has ended. Please log in again.');
      }
      if (use) await touch(found.session);
      return { user: found.user, sessionId: sid };
    },

    async isAlive(sessionId) {
      const found = await load(sessionId);
      if (!found || found.session.expiresAt.getTime() <= now()) return false;
      return found.session.lastUsedAt > aliveSince(found.user);
    },

    async refresh({ sessionId }) {
      const session = await SessionModel.findOneAndUpdate(
        { _id: sessionId },
        { $inc: { generation: 1 }, $set: { graceUntil: new Date(now() + REFRESH_GRACE_MS) } },
        { returnDocument: 'after' },
      ).lean<SessionDoc>();
      cache.delete(sessionId);
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

    forgetUser(userId) {
      for (const [id, { user }] of cache) if (user._id.toHexString() === userId) cache.delete(id);
    },
  };
}

function isCurrent(session: SessionDoc, generation: number, now: number): boolean {
  if (generation === session.generation) return true;
  return generation === session.generation - 1 && now < session.graceUntil.getTime();
}
