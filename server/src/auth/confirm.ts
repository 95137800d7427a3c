import { invalid } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SecondStep } from './contract.ts';
import type { UserDoc } from './model.ts';
import type { Passwords } from './passwords.ts';
import { guessKey } from './throttle.ts';

/** Checks and spends an account's second step; an account without one passes. @throws AppError 429 after too many guesses */
export type SecondFactor = (user: UserDoc, given: SecondStep) => Promise<'missing' | 'wrong' | 'passed'>;

/**
 * Asks for the second step again, where the account has one.
 * @throws AppError 422 for a missing or wrong code, not 401, as `confirmPassword`; 429
 */
export async function confirmSecondStep(secondFactor: SecondFactor, user: UserDoc, given: SecondStep): Promise<void> {
  const step = await secondFactor(user, given);
  if (step === 'passed') return;
  const path = given.recoveryCode === undefined ? 'code' : 'recoveryCode';
  const msg =
    step === 'missing' ? 'Enter the code of your authenticator app' : 'This code is wrong or was used already';
  throw invalid([{ msg, path }]);
}

/** What asking again for who it is takes: before anything that weakens an account or ends it. */
export interface ConfirmDeps {
  passwords: Passwords;
  limits: Limits;
}

/**
 * Asks for the current password.
 * @throws AppError 422 for a wrong one, not 401: the session is fine, and a 401 would sign the browser out; 429
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
