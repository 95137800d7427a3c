import { mkdirSync } from 'node:fs';
import type { Env } from '#platform/env';
import { newVapidKey } from '#platform/push';
import { readOrCreateSecret } from '#platform/secrets';

/** Why the product cannot start, as a sentence for the operator. */
export class BootError extends Error {}

/** The secrets that sign tokens and seal data. */
export interface Secrets {
  jwtSecret: string;
  dataKey: string;
  vapidKey: string;
}

/**
 * Reads the operator's secrets; those not set are made once and kept in the data folder.
 * @throws BootError with a sentence for the operator
 */
export function readSecrets({ jwtSecret, dataKey, vapid, dataDir }: Env): Secrets {
  return {
    jwtSecret: jwtSecret ?? storedSecret(dataDir, 'jwt-secret'),
    dataKey: dataKey ?? storedSecret(dataDir, 'data-key'),
    vapidKey: vapid.privateKey ?? storedSecret(dataDir, 'vapid-key', newVapidKey),
  };
}

function storedSecret(dataDir: string, name: string, make?: () => string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return readOrCreateSecret(dataDir, name, make);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BootError(`Parley cannot write to the data folder ${dataDir}: ${why}. Set DATA_DIR to another folder.`);
  }
}
