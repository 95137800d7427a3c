import { generateSecret, generateURI, verify } from 'otplib';
import { toString as drawQr } from 'qrcode';
import type { TwoFactorSetup } from './contract.ts';

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
export async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const token = code.replaceAll(' ', '');
  // otplib throws on anything else.
  if (!CODE.test(token)) return null;
  const result = await verify({ secret, token, epoch: Math.floor(now / 1000), epochTolerance: DRIFT_S });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
