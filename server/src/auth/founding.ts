import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { forbidden } from '../http/errors.ts';
import { UserModel } from './model.ts';

/** Crockford's Base32: nothing that is read as something else. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 12;

/**
 * The code that the first account of a server is asked for: it becomes the platform admin, so that it must be whoever
 * started the server and not the first stranger. It follows from the secret, and so is the same after a restart and on
 * every node; with 60 random bits and few sign-ups an hour from one address, nobody guesses it.
 * @param secret signs the session tokens
 */
export function foundingCodeOf(secret: string): string {
  const digest = createHmac('sha256', secret).update('founding code').digest();
  const letters = [...digest.subarray(0, CHARACTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

/** The code that the next account is asked for; null: none. */
export async function openFoundingCode(code: string | null): Promise<string | null> {
  return code !== null && !(await UserModel.exists({})) ? code : null;
}

/** Lets the first account be made. @param code null: it needs none @throws AppError 403 for a missing or wrong code */
export function mustKnowFoundingCode(code: string | null, given = ''): void {
  if (code === null || timingSafeEqual(digestOf(code), digestOf(given))) return;
  throw forbidden(
    'FOUNDING_CODE_REQUIRED',
    'The first account needs the founding code. Parley printed it when it started: look into its terminal or log.',
  );
}

const digestOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^\da-z]/g, ''))
    .digest();
