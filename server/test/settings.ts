import { type Env, readEnv } from '../src/platform/env/index.ts';

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
