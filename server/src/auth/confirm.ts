import { invalid } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SecondStep } from './contract.ts';
import type { UserDoc } from './model.ts';
import type { Passwords } from './passwords.ts';

/** Checks and spends an account's second step; an account without one passes. @throws AppError 429 after too many guesses */
export type SecondFactor = (user: UserDoc, given: SecondStep) => Promise<'missing' | 'wrong' | 'passed'>;

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
  const key = user._id.toHexString();
  await limits.take('loginPerAccount', key);
  if (!(await passwords.fits(password, user.passwordHash)))
    throw invalid([{ msg: 'Current password is incorrect', path: 'currentPassword' }]);
  await limits.giveBack('loginPerAccount', key);
}
