import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from './errors.ts';

const MINUTE_S = 60;

/** How often something may happen per key: `points` times in `duration` seconds. */
const LIMITS = {
  /** Wrong passwords for one account. */
  loginPerAccount: { points: 10, duration: 15 * MINUTE_S },
  /** Wrong passwords from one address. */
  loginPerIp: { points: 50, duration: 15 * MINUTE_S },
  /** Refusals at one account are told once for each stretch of them. */
  burstPerAccount: { points: 1, duration: 15 * MINUTE_S },
  /** Wrong codes of the authenticator app for one account: of a million, three count at a time. */
  codePerAccount: { points: 5, duration: 15 * MINUTE_S },
  registerPerIp: { points: 10, duration: 60 * MINUTE_S },
  forgotPerIp: { points: 10, duration: 60 * MINUTE_S },
  /** Mails with a link for a new password: nobody's mailbox is flooded. */
  resetMailsPerAccount: { points: 3, duration: 60 * MINUTE_S },
  /** New visitors from one address; resuming one is free. */
  visitorPerIp: { points: 30, duration: MINUTE_S },
  visitorMessages: { points: 20, duration: 10 },
  /** Files from one address that visitors write from: each may weigh ten megabytes. */
  visitorFilesPerIp: { points: 60, duration: 10 * MINUTE_S },
  /** Invites, each of which may be a mail to a stranger. */
  invitesPerAccount: { points: 60, duration: 60 * MINUTE_S },
  /** Copies of chats by mail, which a visitor may send to any address. */
  transcriptsPerVisitor: { points: 5, duration: 60 * MINUTE_S },
  transcriptsPerIp: { points: 20, duration: 60 * MINUTE_S },
  /** Test mails. */
  selfCheckPerAccount: { points: 5, duration: 5 * MINUTE_S },
  /** Packets of one connection, also those that ask for nothing: far beyond what is answered. */
  packetsPerConnection: { points: 1_000, duration: 10 },
  /** All calls and socket events of one session. */
  session: { points: 600, duration: MINUTE_S },
} as const;

export type LimitName = keyof typeof LIMITS;

/** Counts what may be abused. */
export interface Limits {
  /** Counts one use. @throws AppError 429 past the limit */
  take(name: LimitName, key: string): Promise<void>;
  /** Takes one use back: it turned out to be rightful. */
  giveBack(name: LimitName, key: string): Promise<void>;
}

/** Limits kept in this process; `on: false` lifts them all. */
export function createLimits({ on }: { on: boolean }): Limits {
  if (!on) return { take: async () => {}, giveBack: async () => {} };
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, options]) => [name, new RateLimiterMemory({ ...options, keyPrefix: name })]),
  );
  return {
    async take(name, key) {
      try {
        await limiters.get(name)?.consume(key);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? tooMany(seconds(refused.msBeforeNext)) : refused;
      }
    },
    async giveBack(name, key) {
      await limiters.get(name)?.reward(key);
    },
  };
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
