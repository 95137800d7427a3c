import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps short secrets unreadable to whoever gets hold of the database without the key. */
export interface SecretBox {
  /** Locks a text; it opens for the same `owner` only, so that it cannot be moved to another's record. */
  seal(text: string, owner: string): string;
  /** The text; null: sealed with another key, for another owner, or damaged. */
  open(sealed: string, owner: string): string | null;
}

/**
 * A box of AES-256-GCM (NIST SP 800-38D), a fresh nonce each time.
 * @param key `DATA_KEY`, of any length: hashed to the cipher's
 */
export function createSecretBox(key: string): SecretBox {
  const cipherKey = createHash('sha256').update(key).digest();
  return {
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
