import type { Request } from 'express';
import { type ApiKeyScope, includesScope } from '#features/apikeys/contract';
import {
  addressKey,
  forbidden,
  type Guard,
  guard,
  invalid,
  type Limits,
  labelled,
  sentence,
  type TranslatableText,
} from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import { type Confirmation, RECENT_SIGN_IN_MINUTES, type SecondStep } from './contract.ts';
import { guessKey } from './loginThrottle.ts';
import { hasPassword, sessionCache, type UserDoc } from './model.ts';
import type { Passwords } from './passwords.ts';
import { type Caller, isApiKey, type SessionCaller, type Sessions } from './sessions.ts';

/** The bearer token of a request. @returns undefined when there is none */
export function bearer(req: Request): string | undefined {
  return req.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1];
}

/** The guard of every call for signed-in people; it resolves to the caller, and refuses API keys. */
export interface SignedInGuard extends Guard<SessionCaller> {
  /** The guards of calls that are open to API keys, too, by the scope that the call needs. */
  orKey: Record<ApiKeyScope, Guard<Caller>>;
}

/**
 * Finds the person behind an API key.
 * @param address as `addressKey` makes it
 * @throws AppError 401 for a key that is not valid, 429
 */
export type KeyCallers = (key: string, address: string) => Promise<Caller>;

/**
 * Makes the guards: they throw 401 without a living session or a valid API key, 403 for an API key that is not allowed here,
 * and 429 when the caller calls too often.
 */
export function createSignedIn(sessions: Sessions, limits: Limits, callerOfKey: KeyCallers): SignedInGuard {
  async function signedIn(req: Request): Promise<SessionCaller> {
    const caller = await sessions.caller(sessions.keyOf(bearer(req)));
    await limits.take('callsPerAccount', caller.user._id.toHexString());
    return caller;
  }

  const orKey = (needed: ApiKeyScope) =>
    guard<Caller>(
      'staff',
      async (req) => {
        const token = bearer(req);
        if (token === undefined || !isApiKey(token)) return signedIn(req);
        const caller = await callerOfKey(token, addressKey(req.ip));
        if (!caller.key || !includesScope(caller.key.scope, needed)) throw outOfScope();
        return caller;
      },
      needed,
    );

  return Object.assign(guard('staff', signedIn), {
    orKey: { read: orKey('read'), reply: orKey('reply'), manage: orKey('manage') },
  });
}

/** 403: the API key may do less than this. */
export const outOfScope = () => forbidden('API_KEY_SCOPE', sentence('The scope of this API key does not allow this.'));

/**
 * Checks an account's second step and uses it up; accounts without one pass.
 * @throws AppError 429 after too many guesses
 */
export type SecondFactor = (user: UserDoc, given: SecondStep) => Promise<'missing' | 'wrong' | 'passed'>;

/** What asking again needs: done before anything that weakens an account, outlives its session or deletes it. */
export interface ConfirmDeps {
  passwords: Passwords;
  limits: Limits;
  secondFactor: SecondFactor;
  now: () => number;
}

/**
 * Asks again for the password, and for the second step where the account has one: the password alone may be what was stolen.
 * @throws AppError 422 for what is wrong or missing (not 401, which would sign the browser out of a session that is fine); 429
 */
export async function confirm(deps: ConfirmDeps, caller: SessionCaller, given: Confirmation): Promise<void> {
  await confirmPassword(deps, caller, given.currentPassword);
  const step = await deps.secondFactor(caller.user, given);
  if (step === 'passed') return;
  const path = given.recoveryCode === undefined ? 'code' : 'recoveryCode';
  const msg =
    step === 'missing'
      ? sentence('Enter the code of your authenticator app')
      : sentence('This code is wrong or was already used');
  throw invalid([{ msg, path }]);
}

/** Asks for the current password only, where the second step is about to begin. @throws AppError as `confirm` */
export async function confirmPassword(
  { passwords, limits, now }: Omit<ConfirmDeps, 'secondFactor'>,
  { user, sessionId }: SessionCaller,
  password: string | undefined,
): Promise<void> {
  const refused = (msg: TranslatableText) => invalid([{ msg, path: 'currentPassword' }]);
  if (!hasPassword(user)) {
    const session = await sessionCache.find(sessionId);
    if (session && session.createdAt.getTime() > now() - RECENT_SIGN_IN_MINUTES * MINUTE_MS) return;
    throw refused(sentence('This account has no password. Please log out, sign in again, and try once more.'));
  }
  if (password === undefined) throw refused(sentence('{field} is required', { field: labelled('Current password') }));
  const key = guessKey(user);
  await limits.take('confirmPerAccount', key);
  if (!(await passwords.fits(password, user.passwordHash))) throw refused(sentence('Current password is incorrect'));
  await limits.refund('confirmPerAccount', key);
}
