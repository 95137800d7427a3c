import type { ExternalDeps } from '../src/app/outside.ts';
import { type Env, readEnv } from '../src/platform/env/index.ts';
import { agentTo } from './receivers.ts';

/** What tests run the product with: on a free port, without limits, and silent. */
export const quietEnv = (dataDir: string): Env => ({
  ...readEnv({}),
  port: 0,
  host: '127.0.0.1',
  dataDir,
  logLevel: 'fatal',
  rateLimits: false,
  foundingCode: false,
});

/** The least that bcrypt takes: tests sign up thousands. */
export const PASSWORD_COST = 4;

/** What a server of tests takes from outside, unless the test says otherwise. */
const OUTSIDE: ExternalDeps = {
  passwordCost: PASSWORD_COST,
  // Oftener than in earnest, so that tests wait less.
  noticesEveryMs: 250,
  usageEveryMs: 100,
  beatEveryMs: 200,
  // Tests ask for the reconciler's rounds, or make them (`rounds.ts`): one that came by itself could be faster than the test.
  reconcileEveryMs: 2 ** 30,
  // Storing the files of the build would take a third of the time of a start.
  releaseKeptAfterMs: 2 ** 30,
  // Long enough for any answer of a busy machine.
  storeSilentMaxMs: 60_000,
};

/** What tests replace of the world outside, as plain data, which a process of its own can be sent. */
export interface PlainOutside
  extends Pick<ExternalDeps, 'peerTimeouts' | 'usageEveryMs' | 'beatEveryMs' | 'reconcileEveryMs' | 'noticesEveryMs'> {
  /** The certificates of the test's own push service, and of its receiver of webhooks. */
  pushCertificate?: string;
  webhookCertificate?: string;
  /** How far its clock is ahead from the start on. */
  aheadMs?: number;
}

/** What a server is given for it. */
export function outsideOf({
  pushCertificate,
  webhookCertificate,
  aheadMs: _,
  ...more
}: PlainOutside & ExternalDeps): ExternalDeps {
  return {
    ...OUTSIDE,
    ...(pushCertificate !== undefined && { pushAgent: agentTo(pushCertificate) }),
    ...(webhookCertificate !== undefined && { webhookAgent: agentTo(webhookCertificate) }),
    ...more,
  };
}
