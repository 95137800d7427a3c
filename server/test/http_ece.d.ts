declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface DecryptOptions {
    version: 'aes128gcm';
    privateKey: ECDH;
    /** Base64url */
    authSecret: string;
  }

  const ece: { decrypt(body: Buffer, options: DecryptOptions): Buffer };
  export default ece;
}
