import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { toString as drawQr } from 'qrcode';
import { guessKey, type SecondFactor, type TwoFactorDoc, type UserDoc, UserModel } from '#features/auth';
import { events } from '#platform/events';
import type { Limits } from '#platform/http';
import { type SecretBox, sha256 } from '#platform/secrets';
import { RECOVERY_CODES, type TwoFactorSetup } from './contract.ts';

const ISSUER = 'Parley';
/** A code is accepted one step before and after its own, since clocks differ and people type slowly. In seconds. */
const DRIFT_S = 30;
const CODE = /^\d{6}$/;

/** A new secret of 160 bits (RFC 4226, section 4), in Base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** The secret in the forms that an authenticator app accepts: typed, as a link, or scanned. */
export async function setupOf(secret: string, email: string): Promise<TwoFactorSetup> {
  const uri = generateURI({ issuer: ISSUER, label: email, secret });
  const svg = await drawQr(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

/**
 * The time step that a code belongs to (TOTP, RFC 6238).
 * @param now milliseconds
 * @returns null: none that is accepted now
 */
async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const token = code.replaceAll(' ', '');
  // otplib throws on anything but six digits.
  if (!CODE.test(token)) return null;
  const result = await verify({ secret, token, epoch: Math.floor(now / 1000), epochTolerance: DRIFT_S });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** Crockford's Base32: leaves out letters that look like others. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: too many to guess, even for a person who has the hash. */
const CODE_LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** Ten new codes in the form that is shown: `7k2m-9qxw-0d4t-h8zc`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

function newCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) =>
    RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length),
  );
  return letters.join('').replace(GROUP, '$&-');
}

/** The hash that is stored of a code, the same however the code was typed. @param owner whose code it is */
export function hashRecoveryCode(code: string, owner: string): string {
  const bare = code.toLowerCase().replace(/[^0-9a-z]/g, '');
  return sha256(`${owner}:${bare}`);
}

export interface SecondFactorDeps {
  limits: Limits;
  secretBox: SecretBox;
  now: () => number;
}

/**
 * Checks the second step of accounts with two-factor sign-in. Each code is used up by a conditional write, so that it
 * works once even when it is sent several times at once. Only codes of the app count towards the limit of guesses:
 * recovery codes are too long to guess, and so let the owner in while others have used the guesses up.
 */
export function createSecondFactor(deps: SecondFactorDeps): SecondFactor {
  return async (user, { code, recoveryCode }) => {
    const { twoFactor } = user;
    if (!twoFactor) return 'passed';
    if (recoveryCode !== undefined) return (await spendRecoveryCode(user, recoveryCode)) ? 'passed' : 'wrong';
    if (code === undefined) return 'missing';
    return (await spendCode(deps, user, twoFactor, code)) ? 'passed' : 'wrong';
  };
}

async function spendCode(
  deps: SecondFactorDeps,
  user: UserDoc,
  { secret }: TwoFactorDoc,
  code: string,
): Promise<boolean> {
  const step = await findTimeStep(deps, user, secret, code);
  if (step === null) return false;
  const { modifiedCount } = await UserModel.updateOne(
    { _id: user._id, 'twoFactor.secret': secret, 'twoFactor.lastStep': { $lt: step } },
    { $set: { 'twoFactor.lastStep': step } },
  );
  return modifiedCount === 1;
}

async function spendRecoveryCode({ _id }: UserDoc, recoveryCode: string): Promise<boolean> {
  const userId = _id.toHexString();
  const hash = hashRecoveryCode(recoveryCode, userId);
  const { modifiedCount } = await UserModel.updateOne(
    { _id, 'twoFactor.recovery': hash },
    { $pull: { 'twoFactor.recovery': hash } },
  );
  if (modifiedCount === 1) await events.emit('recoveryCodeUsed', { userId });
  return modifiedCount === 1;
}

/**
 * Finds the time step that a code of this sealed secret belongs to; wrong codes are counted.
 * @returns null: the code is wrong
 * @throws AppError 429 after too many
 */
export async function findTimeStep(
  deps: SecondFactorDeps,
  user: UserDoc,
  sealed: string,
  code: string,
): Promise<number | null> {
  const key = guessKey(user);
  await deps.limits.take('codePerAccount', key);
  const secret = deps.secretBox.open(sealed, user._id.toHexString());
  if (secret === null) events.fail(new Error('this secret was encrypted with another DATA_KEY'), 'two-factor');
  const step = secret === null ? null : await stepOfCode(secret, code, deps.now());
  if (step !== null) await deps.limits.refund('codePerAccount', key);
  return step;
}
