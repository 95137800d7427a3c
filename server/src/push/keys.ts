import { createECDH } from 'node:crypto';

const CURVE = 'prime256v1';
const PRIVATE_KEY_BYTES = 32;

/** The key pair by which push services know this server, in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** A private key on P-256, in base64url. @see https://www.rfc-editor.org/rfc/rfc8292 */
export function newVapidKey(): string {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  const bytes = pair.getPrivateKey();
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - bytes.length), bytes]).toString('base64url');
}

/** The pair of a private key. */
export function vapidKeys(privateKey: string): VapidKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url', 'uncompressed'), privateKey };
}
