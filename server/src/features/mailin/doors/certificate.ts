import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { EnvError, type ListenerSettings } from '#platform/env';

/** A certificate and its key, as PEM. */
interface Pair {
  cert: Buffer;
  key: Buffer;
}

/** The certificate of the port. */
export interface PortCertificate {
  first: Pair;
  /** The pair, where its files have changed since it was last given; null: they have not, or do not fit (yet). */
  renewed(): Promise<Pair | null>;
}

/**
 * Reads the files of a certificate, again whenever they have changed: it is renewed while the server runs.
 * @throws EnvError if they cannot be read, or do not fit
 */
export async function readCertificate(
  files: NonNullable<ListenerSettings['tls']>,
  log: Logger,
): Promise<PortCertificate> {
  let last = await stampOf(files);
  let refused = '';
  const first = await readPair(files);
  return {
    first,
    async renewed() {
      const stamp = await stampOf(files);
      if (stamp === last) return null;
      try {
        const pair = await readPair(files);
        last = stamp;
        log.info('mail in: the certificate is renewed');
        return pair;
      } catch (error) {
        // Perhaps only one of the two is written yet: the next connection looks again.
        if (stamp !== refused) log.warn({ err: error }, 'mail in: the new certificate cannot be used');
        refused = stamp;
        return null;
      }
    },
  };
}

/** Differs when one of the files does, and where a link leads to another one. */
async function stampOf({ cert, key }: { cert: string; key: string }): Promise<string> {
  const stats = await Promise.all([cert, key].map((path) => stat(path).catch(() => null)));
  return stats.map((file) => (file ? `${file.dev}:${file.ino}:${file.mtimeMs}:${file.size}` : 'none')).join(' ');
}

/** @throws EnvError */
async function readPair(files: { cert: string; key: string }): Promise<Pair> {
  const [cert, key] = await Promise.all([pem('MAIL_IN_TLS_CERT', files.cert), pem('MAIL_IN_TLS_KEY', files.key)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new EnvError(`MAIL_IN_TLS_CERT and MAIL_IN_TLS_KEY do not fit: ${(error as Error).message}`);
  }
  return { cert, key };
}

async function pem(name: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw new EnvError(`${name} cannot be read: ${error.message}`);
  });
}
