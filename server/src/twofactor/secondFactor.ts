import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { toString as drawQr } from 'qrcode';
import type { SecondFactor } from '../auth/guards.ts';
import { guessKey } from '../auth/loginThrottle.ts';
import { type TwoFactorDoc, type UserDoc, UserModel } from '../auth/model.ts';
import { events } from '../events.ts';
import type { Limits } from '../http/limits.ts';
import { sha256 } from '../secrets.ts';
import { RECOVERY_CODES, type TwoFactorSetup } from './contract.ts';
import type { SecretBox } from './secretBox.ts';

const ISSUER = 'Parley';
/** A code counts one step before and after its own: clocks differ, and people type slowly. */
const DRIFT_S = 30;
const CODE = /^\d{6}$/;

/** A new secret of 160 bits (RFC 4226, section 4), in Base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** The secret as an authenticator app takes it: typed, linked, or scanned. */
export async function setupOf(secret: string, email: string): Promise<TwoFactorSetup> {
  const uri = generateURI({ issuer: ISSUER, label: email, secret });
  const svg = await drawQr(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { secret, uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

/**
 * Which step of time a code belongs to (TOTP, RFC 6238); null: none that counts now.
 * @param now milliseconds
 */
async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const token = code.replaceAll(' ', '');
  // otplib throws on anything else.
  if (!CODE.test(token)) return null;
  const result = await verify({ secret, token, epoch: Math.floor(now / 1000), epochTolerance: DRIFT_S });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** Crockford's Base32: no letter that is read as another. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: too many to guess, with the hash in hand too. */
const CODE_LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** Ten new codes, as they are shown: `7k2m-9qxw-0d4t-h8zc`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

function newCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) =>
    RECOVERY_ALPHABET.charAt(byte % RECOVERY_ALPHABET.length),
  );
  return letters.join('').replace(GROUP, '$&-');
}

/** What is kept of a code, however it was typed. @param owner whose code it is */
export function recoveryHash(code: string, owner: string): string {
  const bare = code.toLowerCase().replace(/[^0-9a-z]/g, '');
  return sha256(`${owner}:${bare}`);
}

/** What checking a second step takes. */
export interface SecondFactorDeps {
  limits: Limits;
  secretBox: SecretBox;
  /** Milliseconds */
  now: () => number;
}

/**
 * Asks accounts with two-factor sign-in for their second step. Each code is taken by a guarded write, so that it opens
 * once, however many try it at the same time. Only codes of the app are counted: a recovery code is too long to guess,
 * and so stays the rightful owner's way in while somebody else uses the guesses up.
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
  if (modifiedCount === 1) await events.emit('recoveryCodeUsed', { userId });
  return modifiedCount === 1;
}

/**
 * The step that a code of this sealed secret belongs to; null: it is wrong. Wrong ones are counted.
 * @throws AppError 429 after too many
 */
export async function guess(
  deps: SecondFactorDeps,
  user: UserDoc,
  sealed: string,
  code: string,
): Promise<number | null> {
  const key = guessKey(user);
  await deps.limits.take('codePerAccount', key);
  const secret = deps.secretBox.open(sealed, user._id.toHexString());
  if (secret === null) events.fail(new Error('DATA_KEY is not the one that this secret was sealed with'), 'two-factor');
  const step = secret === null ? null : await stepOfCode(secret, code, deps.now());
  if (step !== null) await deps.limits.giveBack('codePerAccount', key);
  return step;
}
