import { randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '#platform/secrets';
import { API_KEY_PREFIX } from './contract.ts';

const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 8;
/** Letters and digits only, so that a double click selects the whole key. */
const FORMAT = /^parley_([0-9a-f]{24})_([0-9a-f]{64})([0-9a-f]{8})$/;

/** The parts of a key in its right format. */
interface KeyParts {
  id: string;
  secret: string;
}

/** Makes the key of an id: `parley_ID_SECRET`, with a checksum behind the secret. */
export function newKey(id: string): { key: string; hash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const text = `${API_KEY_PREFIX}${id}_${secret}`;
  return { key: text + checksumOf(text), hash: hashOf(secret) };
}

/** Reads a key without any store: null for what no server can have made, such as a key with a typing error. */
export function partsOf(key: string): KeyParts | null {
  const [, id, secret, checksum] = FORMAT.exec(key) ?? [];
  if (id === undefined || secret === undefined) return null;
  return checksum === checksumOf(key.slice(0, -CHECKSUM_LENGTH)) ? { id, secret } : null;
}

const checksumOf = (text: string) => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');

/**
 * The hash that is stored. A fast one is right here, unlike for passwords: a secret of 256 random bits cannot be guessed at
 * any speed, and a slow hash would have to be computed with every request.
 */
export function hashOf(secret: string): string {
  return sha256(secret);
}

/** Compares in constant time. */
export function isSecretOf(hash: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(secret)));
}
