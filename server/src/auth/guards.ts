import type { Request } from 'express';
import { type Guard, guard } from '../http/endpoint.ts';
import { invalid } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SecondStep } from './contract.ts';
import { guessKey } from './loginThrottle.ts';
import type { UserDoc } from './model.ts';
import type { Passwords } from './passwords.ts';
import type { Caller, Sessions } from './sessions.ts';

/** The bearer token of a request. @returns undefined when there is none */
export function bearer(req: Request): string | undefined {
  return req.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1];
}

/** The guard of every call for signed-in people; it resolves to the caller. */
export type SignedInGuard = Guard<Caller>;

/** Makes the guard: it throws 401 without a living session, and 429 when the session calls too often. */
export function createSignedIn(sessions: Sessions, limits: Limits): SignedInGuard {
  return guard('staff', async (req) => {
    const caller = await sessions.caller(sessions.keyOf(bearer(req)));
    await limits.take('callsPerAccount', caller.user._id.toHexString());
    return caller;
  });
}

/**
 * Checks an account's second step and uses it up; accounts without one pass.
 * @throws AppError 429 after too many guesses
 */
export type SecondFactor = (user: UserDoc, given: SecondStep) => Promise<'missing' | 'wrong' | 'passed'>;

/**
 * Asks for the second step again, where the account has one.
 * @throws AppError 422 for a missing or wrong code (not 401, for the reason given at `confirmPassword`); 429
 */
export async function confirmSecondStep(secondFactor: SecondFactor, user: UserDoc, given: SecondStep): Promise<void> {
  const step = await secondFactor(user, given);
  if (step === 'passed') return;
  const path = given.recoveryCode === undefined ? 'code' : 'recoveryCode';
  const msg =
    step === 'missing' ? 'Enter the code of your authenticator app' : 'This code is wrong or was already used';
  throw invalid([{ msg, path }]);
}

/** What asking again for the password needs: done before anything that weakens an account or deletes it. */
export interface ConfirmDeps {
  passwords: Passwords;
  limits: Limits;
}

/**
 * Asks for the current password.
 * @throws AppError 422 for a wrong one (not 401, which would sign the browser out of a session that is fine); 429
 */
export async function confirmPassword(
  { passwords, limits }: ConfirmDeps,
  user: UserDoc,
  password: string,
): Promise<void> {
  const key = guessKey(user);
  await limits.take('confirmPerAccount', key);
  if (!(await passwords.fits(password, user.passwordHash)))
    throw invalid([{ msg: 'Current password is incorrect', path: 'currentPassword' }]);
  await limits.giveBack('confirmPerAccount', key);
}
