import {
  accountOf,
  type Caller,
  type ConfirmDeps,
  confirm,
  confirmPassword,
  type SessionCaller,
  type Sessions,
  type UserDoc,
  UserModel,
} from '#features/auth';
import type { Confirmation } from '#features/auth/contract';
import { events } from '#platform/events';
import { conflict, invalid, sentence } from '#platform/http';
import type { EnableBody, TwoFactorSetup } from './contract.ts';
import {
  findTimeStep,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  type SecondFactorDeps,
  setupOf,
} from './secondFactor.ts';

declare module '#platform/events' {
  interface Events {
    twoFactorEnabled: { userId: string };
    /** `operator`: switched off by the server's operator, for a person who has lost phone and recovery codes. */
    twoFactorDisabled: { userId: string; by: 'owner' | 'operator' };
    recoveryCodesChanged: { userId: string };
    recoveryCodeUsed: { userId: string };
  }
}

/** How long a secret shown at set-up can be confirmed by a first code. */
const SETUP_KEPT_MS = 3_600_000;
const OFF = { twoFactor: { $exists: false } };

export interface TwoFactorDeps extends ConfirmDeps, SecondFactorDeps {
  sessions: Sessions;
}

/**
 * Makes a secret for an authenticator app; sign-in asks for a code only after `enable`.
 * @throws AppError 409 where it is on
 */
export async function setUp({ secretBox, now }: TwoFactorDeps, { user }: Caller): Promise<TwoFactorSetup> {
  const secret = newTotpSecret();
  const sealed = secretBox.seal(secret, user._id.toHexString());
  const { matchedCount } = await UserModel.updateOne(
    { _id: user._id, ...OFF },
    { $set: { twoFactorSetup: { secret: sealed, at: new Date(now()) } } },
  );
  if (matchedCount === 0) throw alreadyOn();
  return setupOf(secret, user.email);
}

/**
 * Switches the second step on; a first code proves that the app holds the secret. The password is asked for again, since
 * otherwise a stolen session would be enough to lock the owner out.
 * @returns the recovery codes, which can be shown this once only, as just their hashes are stored
 * @throws AppError 422 for a wrong password or code, 409 without a set-up or where it is on, 429
 */
export async function enable(deps: TwoFactorDeps, caller: SessionCaller, form: EnableBody): Promise<string[]> {
  const { _id } = caller.user;
  const userId = _id.toHexString();
  const user = await UserModel.findById(_id, { twoFactor: 1, twoFactorSetup: 1 }).lean<UserDoc>();
  if (user?.twoFactor) throw alreadyOn();
  const setup = user?.twoFactorSetup;
  if (!setup || setup.at.getTime() < deps.now() - SETUP_KEPT_MS) throw notSetUp();
  await confirmPassword(deps, caller, form.currentPassword);
  const lastStep = await findTimeStep(deps, caller.user, setup.secret, form.code);
  if (lastStep === null)
    throw invalid([{ msg: sentence('This code is not correct. Please try the next one'), path: 'code' }]);
  const { codes, recovery } = recoveryFor(userId);
  const { modifiedCount } = await UserModel.updateOne(
    { _id, 'twoFactorSetup.secret': setup.secret, ...OFF },
    {
      $set: { twoFactor: { secret: setup.secret, lastStep, recovery, since: new Date(deps.now()) } },
      $unset: { twoFactorSetup: 1 },
    },
  );
  if (modifiedCount === 0) throw alreadyOn();
  deps.sessions.forgetUser(userId);
  await events.emit('twoFactorEnabled', { userId });
  return codes;
}

/** Switches the second step off; idempotent. @throws AppError 422 for a wrong confirmation */
export async function disable(deps: TwoFactorDeps, caller: SessionCaller, given: Confirmation): Promise<void> {
  const { user } = caller;
  await confirm(deps, caller, given);
  await switchOff(user._id, 'owner');
  deps.sessions.forgetUser(user._id.toHexString());
}

/** Removes the second step from an account and emits the event. @returns whether there was one */
async function switchOff(_id: UserDoc['_id'], by: 'owner' | 'operator'): Promise<boolean> {
  const { modifiedCount } = await UserModel.updateOne(
    { _id, twoFactor: { $exists: true } },
    { $unset: { twoFactor: 1, twoFactorSetup: 1 } },
  );
  if (modifiedCount === 1) await events.emit('twoFactorDisabled', { userId: _id.toHexString(), by });
  return modifiedCount === 1;
}

/**
 * Makes ten new recovery codes; the old ones stop working.
 * @throws AppError 422 for a wrong confirmation, 409 where it is off
 */
export async function renewCodes(deps: TwoFactorDeps, caller: SessionCaller, given: Confirmation): Promise<string[]> {
  const { user } = caller;
  await confirm(deps, caller, given);
  const userId = user._id.toHexString();
  const { codes, recovery } = recoveryFor(userId);
  const { matchedCount } = await UserModel.updateOne(
    { _id: user._id, twoFactor: { $exists: true } },
    { $set: { 'twoFactor.recovery': recovery } },
  );
  if (matchedCount === 0) throw notSetUp();
  deps.sessions.forgetUser(userId);
  await events.emit('recoveryCodesChanged', { userId });
  return codes;
}

function recoveryFor(userId: string): { codes: string[]; recovery: string[] } {
  const codes = newRecoveryCodes();
  return { codes, recovery: codes.map((code) => hashRecoveryCode(code, userId)) };
}

/** 409: the second step cannot be switched on before it is set up. */
export function notSetUp() {
  return conflict('TWO_FACTOR_SETUP_REQUIRED', sentence('Set up two-factor authentication before you switch it on.'));
}

function alreadyOn() {
  return conflict('TWO_FACTOR_ENABLED', sentence('Two-factor authentication is already on.'));
}

/**
 * Switches the second step off for a person who has lost phone and recovery codes.
 * @returns the sentence for the operator
 * @throws OperatorError for an unknown address
 */
export async function disableFor(email: string): Promise<string> {
  const { _id } = await accountOf(email);
  return (await switchOff(_id, 'operator'))
    ? `Two-factor authentication is now off for ${email}. The password is enough to sign in.`
    : `${email} does not use two-factor authentication.`;
}
