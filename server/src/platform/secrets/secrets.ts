import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SECRET_BYTES = 32;

const anySecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/**
 * Reads a random secret from the data folder; at first use it is made and stored there, readable by its owner only.
 * @param name the file's name
 * @param make makes a secret of a special form
 */
export function readOrCreateSecret(dataDir: string, name: string, make: () => string = anySecret): string {
  const file = path.join(dataDir, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** The SHA-256 of a text, in base64url: the only form in which tokens and codes are stored. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A UUID (RFC 9562, version 8) that follows from a text, for ids that have to be the same whenever they are made. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
