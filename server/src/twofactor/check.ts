import type { SecondFactor } from '../auth/confirm.ts';
import { type TwoFactorDoc, type UserDoc, UserModel } from '../auth/model.ts';
import { guessKey } from '../auth/throttle.ts';
import { bus } from '../bus.ts';
import type { Limits } from '../http/limits.ts';
import { recoveryHash } from './recovery.ts';
import { stepOfCode } from './totp.ts';
import type { Vault } from './vault.ts';

/** What checking a second step takes. */
export interface CheckDeps {
  limits: Limits;
  vault: Vault;
  /** Milliseconds */
  now: () => number;
}

/**
 * Asks accounts with two-factor sign-in for their second step. Each code is taken by a guarded write, so that it opens
 * once, however many try it at the same time. Only codes of the app are counted: a recovery code is too long to guess,
 * and so stays the rightful owner's way in while somebody else uses the guesses up.
 */
export function createSecondFactor(deps: CheckDeps): SecondFactor {
  return async (user, { code, recoveryCode }) => {
    const { twoFactor } = user;
    if (!twoFactor) return 'passed';
    if (recoveryCode !== undefined) return (await spendRecoveryCode(user, recoveryCode)) ? 'passed' : 'wrong';
    if (code === undefined) return 'missing';
    return (await spendCode(deps, user, twoFactor, code)) ? 'passed' : 'wrong';
  };
}

async function spendCode(deps: CheckDeps, user: UserDoc, { secret }: TwoFactorDoc, code: string): Promise<boolean> {
  const step = await guess(deps, user, secret, code);
  if (step === null) return false;
  const { modifiedCount } = await UserModel.updateOne(
    { _id: user._id, 'twoFactor.secret': secret, 'twoFactor.lastStep': { $lt: step } },
    { $set: { 'twoFactor.lastStep': step } },
  );
  return modifiedCount === 1;
}

async function spendRecoveryCode({ _id }: UserDoc, recoveryCode: string): Promise<boolean> {
  const userId = _id.toHexString();
  const hash = recoveryHash(recoveryCode, userId);
  const { modifiedCount } = await UserModel.updateOne(
    { _id, 'twoFactor.recovery': hash },
    { $pull: { 'twoFactor.recovery': hash } },
  );
  if (modifiedCount === 1) await bus.tell('recoveryCodeUsed', { userId });
  return modifiedCount === 1;
}

/**
 * The step that a code of this sealed secret belongs to; null: it is wrong. Wrong ones are counted.
 * @throws AppError 429 after too many
 */
export async function guess(deps: CheckDeps, user: UserDoc, sealed: string, code: string): Promise<number | null> {
  const key = guessKey(user);
  await deps.limits.take('codePerAccount', key);
  const secret = deps.vault.open(sealed, user._id.toHexString());
  if (secret === null) bus.fail(new Error('DATA_KEY is not the one that this secret was sealed with'), 'two-factor');
  const step = secret === null ? null : await stepOfCode(secret, code, deps.now());
  if (step !== null) await deps.limits.giveBack('codePerAccount', key);
  return step;
}
