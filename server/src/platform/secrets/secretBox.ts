import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts short secrets, so that a copy of the database is of no use without the key. */
export interface SecretBox {
  /** Encrypts a text; it opens for the same `owner` only, so that it cannot be moved to another account's record. */
  seal(text: string, owner: string): string;
  /** Decrypts a text. @returns null when it was sealed with another key or for another owner, or is damaged */
  open(sealed: string, owner: string): string | null;
  /** A hash of a text that nobody can guess the text from who has the database only. */
  keyedHash(text: string): string;
}

/**
 * A box of AES-256-GCM (NIST SP 800-38D), with a fresh nonce for each text.
 * @param key `DATA_KEY`, of any length: it is hashed to the length of the cipher's key
 */
export function createSecretBox(key: string): SecretBox {
  const cipherKey = createHash('sha256').update(key).digest();
  const hashKey = createHmac('sha256', cipherKey).update('keyed hash').digest();
  return {
    keyedHash: (text) => createHmac('sha256', hashKey).update(text).digest('base64url'),
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, cipherKey, nonce).setAAD(Buffer.from(owner));
      const locked = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), locked]).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
      const decipher = createDecipheriv(ALGORITHM, cipherKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(rest.subarray(0, TAG_BYTES));
      try {
        return decipher.update(rest.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
