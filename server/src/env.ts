import path from 'node:path';
import { SITE_LIMIT } from './sites/contract.ts';

/** The product's settings, read once from the process environment. */
export interface Env {
  port: number;
  host: string;
  /** Origin that people reach the product under, without a trailing slash; null: as the browser says. */
  publicUrl: string | null;
  dataDir: string;
  /** A MongoDB of the operator's; null: the embedded store. */
  mongodbUri: string | null;
  /** Signs the bearer tokens; null: one is made once and kept in `dataDir`. */
  jwtSecret: string | null;
  /** Express's `trust proxy`: whose `X-Forwarded-For` counts. */
  trustProxy: string;
  signup: 'open' | 'invited' | 'closed';
  sitesPerAccount: number;
  logLevel: string;
  rateLimits: boolean;
}

/** A setting that cannot be right; its message is for the person who starts the server. */
export class EnvError extends Error {}

const SECRET_MIN_LENGTH = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const PROXIES_TRUSTED_DEFAULT = 'loopback, linklocal, uniquelocal';

/**
 * Parses the environment; an empty variable counts as unset.
 * @throws EnvError with a sentence a person understands
 */
export function readEnv(vars: NodeJS.ProcessEnv): Env {
  return {
    port: whole(vars, 'PORT', 3000, 0, 65_535),
    host: text(vars, 'HOST') ?? '0.0.0.0',
    publicUrl: origin(vars, 'PUBLIC_URL'),
    dataDir: path.resolve(text(vars, 'DATA_DIR') ?? 'data'),
    mongodbUri: mongodb(vars),
    jwtSecret: secret(vars, 'JWT_SECRET'),
    trustProxy: text(vars, 'TRUST_PROXY') ?? PROXIES_TRUSTED_DEFAULT,
    signup: oneOf(vars, 'SIGNUP', ['open', 'invited', 'closed'], 'open') as Env['signup'],
    sitesPerAccount: whole(vars, 'MAX_SITES_PER_ACCOUNT', SITE_LIMIT, 1, 1000),
    logLevel: oneOf(vars, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimits: oneOf(vars, 'RATE_LIMITS', ['on', 'off'], 'on') === 'on',
  };
}

function text(vars: NodeJS.ProcessEnv, name: string): string | null {
  return vars[name]?.trim() || null;
}

function whole(vars: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const given = text(vars, name);
  if (given === null) return fallback;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new EnvError(`${name} must be a whole number from ${min} to ${max}, not '${given}'.`);
}

function oneOf(vars: NodeJS.ProcessEnv, name: string, allowed: string[], fallback: string): string {
  const given = text(vars, name) ?? fallback;
  if (allowed.includes(given)) return given;
  throw new EnvError(`${name} must be one of ${allowed.join(', ')}, not '${given}'.`);
}

function origin(vars: NodeJS.ProcessEnv, name: string): string | null {
  const given = text(vars, name);
  if (given === null) return null;
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return new URL(given).origin;
  throw new EnvError(`${name} must be an address like https://chat.example.com, not '${given}'.`);
}

function mongodb(vars: NodeJS.ProcessEnv): string | null {
  const given = text(vars, 'MONGODB_URI');
  if (given === null || /^mongodb(\+srv)?:\/\//.test(given)) return given;
  throw new EnvError('MONGODB_URI must begin with mongodb:// or mongodb+srv://.');
}

function secret(vars: NodeJS.ProcessEnv, name: string): string | null {
  const given = text(vars, name);
  if (given === null) return null;
  if (given.length >= SECRET_MIN_LENGTH && !/change|example|secret/i.test(given)) return given;
  throw new EnvError(
    `${name} must be at least ${SECRET_MIN_LENGTH} random characters (leave it out and Parley makes one and keeps it in DATA_DIR).`,
  );
}
