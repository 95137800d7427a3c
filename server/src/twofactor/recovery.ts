import { createHash, randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from './contract.ts';

/** Crockford's Base32: no letter that is read as another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: too many to guess, with the hash in hand too. */
const CODE_LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

/** Ten new codes, as they are shown: `7k2m-9qxw-0d4t-h8zc`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

function newCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return letters.join('').replace(GROUP, '$&-');
}

/** What is kept of a code, however it was typed. @param owner whose code it is */
export function recoveryHash(code: string, owner: string): string {
  const bare = code.toLowerCase().replace(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`${owner}:${bare}`).digest('base64url');
}
