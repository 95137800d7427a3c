import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from './errors.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const GB = 2 ** 30;

/** Who is counted. An IPv4 address counts as one, of IPv6 its /64: that is what one customer of a provider has. */
export type Counted = 'address' | 'mailbox' | 'visitor' | 'connection' | 'account' | 'chat' | 'site' | 'server';

/** One row of the table below. */
export interface Limit {
  /** The number; the operator may change it. */
  max: number;
  /** What the number counts. */
  unit: string;
  /** Seconds in which the number may be reached again and again; null: in all. */
  seconds: number | null;
  /** Who is counted. */
  who: Counted;
  /** What goes wrong without it, or why it is not lower. */
  why: string;
}

/** So many in so many seconds: past it 429 is answered. */
const rate = (max: number, unit: string, seconds: number, who: Counted) => ({ max, unit, seconds, who });
/** So many in all, at one time. */
const total = (max: number, unit: string, who: Counted) => ({ max, unit, seconds: null, who });

/**
 * Everything that may be sent, opened or stored, in one place. docs/limits.md and /docs are made from this table
 * (`npx vitest run --project server server/src/http/limits.test.ts -u` writes the file); `LIMITS` in the environment
 * changes its numbers.
 */
const LIMITS = {
  loginPerAccountAndIp: {
    ...rate(10, 'wrong passwords for one account', 15 * MINUTE_S, 'address'),
    why: 'Nobody guesses a password. Whoever tries keeps his own address out, and not the owner.',
  },
  loginPerDevice: {
    ...rate(10, 'wrong passwords from one known browser', 15 * MINUTE_S, 'account'),
    why: 'A browser that has signed in before is counted by itself, whatever others try meanwhile.',
  },
  loginPerAccount: {
    ...rate(100, 'wrong passwords', 15 * MINUTE_S, 'account'),
    why: 'Guesses from many addresses together. So many that a few strangers do not keep the owner out of a new browser.',
  },
  emailChangesPerAccount: {
    ...rate(5, 'new e-mail addresses', HOUR_S, 'account'),
    why: 'Nobody finds out which addresses have an account by trying to take them.',
  },
  confirmPerAccount: {
    ...rate(10, 'wrong passwords in the settings', 15 * MINUTE_S, 'account'),
    why: 'Nobody who finds a browser signed in guesses the password there.',
  },
  loginPerIp: {
    ...rate(50, 'wrong passwords', 15 * MINUTE_S, 'address'),
    why: 'Nobody tries one password on many accounts; an office with one address still has room for its typing errors.',
  },
  burstPerAccount: {
    ...rate(1, 'entry in the log', 15 * MINUTE_S, 'account'),
    why: 'Refusals at one account are noted down once for each stretch of them.',
  },
  codePerAccount: {
    ...rate(5, 'wrong codes', 15 * MINUTE_S, 'account'),
    why: 'Of the million codes of an authenticator app three are right at a time.',
  },
  registerPerIp: {
    ...rate(10, 'new accounts', HOUR_S, 'address'),
    why: 'Accounts are not made by machines.',
  },
  forgotPerIp: {
    ...rate(10, 'forgotten passwords', HOUR_S, 'address'),
    why: 'Nobody makes the server write mails to a list of strangers.',
  },
  resetMailsPerAccount: {
    ...rate(3, 'mails with a link for a new password', HOUR_S, 'account'),
    why: "Nobody's mailbox is flooded.",
  },
  visitorPerIp: {
    ...rate(30, 'new visitors', MINUTE_S, 'address'),
    why: 'A school or a mobile carrier has many people behind one address; coming back is free.',
  },
  visitorPerIpAndDay: {
    ...rate(3_000, 'new visitors', 24 * HOUR_S, 'address'),
    why: 'Thirty a minute all day would be forty thousand rows that nobody needs.',
  },
  returnsPerVisitor: {
    ...rate(30, 'returns', MINUTE_S, 'visitor'),
    why: 'Each page that is opened is one; what is new with it is written down, and the team is told.',
  },
  pagesPerVisitor: {
    ...rate(60, 'pages', MINUTE_S, 'visitor'),
    why: 'The same for pages that change without being opened anew.',
  },
  returnsPerAddress: {
    ...rate(600, 'returns and pages of visitors', MINUTE_S, 'address'),
    why: 'Each may be written down and told to the team, and visitors cost nothing. Two hundred people behind one address may each open three pages a minute.',
  },
  unknownTokensPerIp: {
    ...rate(300, 'visitor tokens of nobody', MINUTE_S, 'address'),
    why: 'Each is looked up. Visitors who were forgotten come with one, too.',
  },
  visitorMessages: {
    ...rate(20, 'messages', 10, 'visitor'),
    why: 'Nobody types faster, and one visitor does not drown out the others.',
  },
  visitorMessagesPerAddress: {
    ...rate(120, 'messages of visitors', MINUTE_S, 'address'),
    why: 'New visitors cost nothing, so their address counts as well. An office, a school or a mobile carrier still has room for twenty who type at once.',
  },
  visitorMessagesPerSite: {
    ...rate(1_200, 'messages of visitors', MINUTE_S, 'site'),
    why: 'Many addresses together; far more than a team could answer.',
  },
  newChatsPerAddress: {
    ...rate(40, 'new chats', 10 * MINUTE_S, 'address'),
    why: 'Each one calls a team. A school class behind one address can all ask at once.',
  },
  visitorFiles: {
    ...rate(20, 'files', 10 * MINUTE_S, 'visitor'),
    why: 'Somebody who shows a problem sends a handful of pictures.',
  },
  visitorFilesPerSite: {
    ...rate(300, 'files of visitors', 10 * MINUTE_S, 'site'),
    why: 'Many addresses together must not fill the disk at once.',
  },
  staffMessagesPerAccount: {
    ...rate(120, 'answers and notes', MINUTE_S, 'account'),
    why: 'Nobody types two a second all day; anybody may register and be staff of his own website.',
  },
  staffFilesPerAccount: {
    ...rate(60, 'files', 10 * MINUTE_S, 'account'),
    why: 'Each may weigh ten megabytes, and anybody may register. Pictures of people and logos count, too.',
  },
  visitorFilesPerIp: {
    ...rate(60, 'files of visitors', 10 * MINUTE_S, 'address'),
    why: 'Each may weigh ten megabytes.',
  },
  invitesPerAccount: {
    ...rate(60, 'invites', HOUR_S, 'account'),
    why: 'Each may be a mail to a stranger.',
  },
  invitesPerNewAccount: {
    ...rate(10, 'invites', DAY_S, 'account'),
    why: 'The same for accounts that are younger than a day: accounts are not made for mailing strangers.',
  },
  inviteMailsPerAddress: {
    ...rate(2, 'mails with an invite', DAY_S, 'mailbox'),
    why: "Whoever invites: nobody's mailbox is flooded. What is beyond is not mailed; its link is copied and handed on.",
  },
  transcriptsPerVisitor: {
    ...rate(5, 'copies of chats by mail', DAY_S, 'visitor'),
    why: 'Nobody proves that the address is the visitor’s own.',
  },
  transcriptsPerAddress: {
    ...rate(3, 'copies of chats by mail', DAY_S, 'mailbox'),
    why: 'Many visitors may say that they have the same address.',
  },
  transcriptsPerChat: {
    ...rate(1, 'copy by mail to the same mailbox', DAY_S, 'chat'),
    why: 'A second one says nothing new.',
  },
  transcriptsPerIp: {
    ...rate(20, 'copies of chats by mail', HOUR_S, 'address'),
    why: 'New visitors cost nothing, so their address counts as well.',
  },
  selfCheckPerAccount: {
    ...rate(5, 'test mails', 5 * MINUTE_S, 'account'),
    why: 'Mail servers stop taking mails from those who send too many.',
  },
  mailsPerSite: {
    ...rate(200, 'mails', HOUR_S, 'site'),
    why: 'Mails of a site to its team, its visitors and those it invites; what is beyond waits. New passwords never wait.',
  },
  mailsPerAccount: {
    ...rate(300, 'mails', HOUR_S, 'account'),
    why: 'The same for all sites of an account.',
  },
  mailsPerServer: {
    ...rate(2_000, 'mails', HOUR_S, 'server'),
    why: 'The same for all sites together: mail servers stop taking mails from those who send too many.',
  },
  mailBoundPerSite: {
    ...rate(1, 'entry in the log', HOUR_S, 'site'),
    why: 'That mails of a site wait is noted down once for each stretch of them.',
  },
  packetsPerConnection: {
    ...rate(1_000, 'packets', 10, 'connection'),
    why: 'Also packets that ask for nothing cost time; the dashboard and the widget send far fewer.',
  },
  packetsPerAddress: {
    ...rate(5_000, 'packets', 10, 'address'),
    why: 'Of all its connections together: refusing a packet costs a little, too. Two hundred that are in use send a tenth of it.',
  },
  callsPerAccount: {
    ...rate(600, 'calls', MINUTE_S, 'account'),
    why: 'By HTTP and by socket, on all devices together. A busy agent makes about a tenth of them.',
  },
  socketsPerVisitor: {
    ...total(10, 'open connections', 'visitor'),
    why: 'Each tab with the chat has one. Beyond it the tab that came first gives way, until somebody looks at it again.',
  },
  socketsPerIp: {
    ...total(200, 'open connections', 'address'),
    why: 'Dashboards and widgets together: each keeps memory, more so while it takes nothing.',
  },
  connectionsPerIp: {
    ...total(1_000, 'network connections', 'address'),
    why: 'Each keeps some ten kilobytes, also while it asks for nothing. Two hundred browsers with a dashboard or a widget have their line and a few more. Those of a trusted proxy are not counted: the proxy bounds them.',
  },
  callsPerVisitor: {
    ...rate(600, 'calls', MINUTE_S, 'visitor'),
    why: 'A widget makes a handful.',
  },
  visitorCallsPerAddress: {
    ...rate(3_000, 'calls of visitors', MINUTE_S, 'address'),
    why: 'New visitors cost nothing, so their address counts as well: as many as two hundred widgets make that are all in use.',
  },
  newSitesPerAccount: {
    ...rate(60, 'new websites', HOUR_S, 'account'),
    why: 'A deleted website frees its place, and to remove what belonged to it is work.',
  },
  sessionsPerAccount: {
    ...total(50, 'signed-in devices', 'account'),
    why: 'A new one signs out the one that was used longest ago.',
  },
  siteTextBytes: {
    ...total(GB, 'bytes', 'site'),
    why: 'About two million messages. One website cannot fill the disk of all others.',
  },
  siteFileBytes: {
    ...total(5 * GB, 'bytes', 'site'),
    why: 'Files that people send; what is deleted frees its room. One website cannot fill the disk of all others.',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The limits of so many in a time. */
export type RateName = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends { seconds: number } ? Name : never;
}[LimitName];

/** The numbers that the operator changed; infinite: that limit is lifted. */
export type ChangedLimits = Partial<Record<LimitName, number>>;

/** The rows of the table by name. */
export const limitRows = Object.entries(LIMITS) as [LimitName, Limit][];

/** Counts what may be abused, and knows how much may be kept. */
export interface Limits {
  /** Counts one use, or several at once. @throws AppError 429 past the limit */
  take(name: RateName, key: string, uses?: number): Promise<void>;
  /** Takes one use back: it turned out to be rightful. */
  giveBack(name: RateName, key: string): Promise<void>;
  /** The number in force; infinite where there is none. */
  max(name: LimitName): number;
}

/** Limits kept in this process; `on: false` lifts them all. */
export function createLimits({ on, changed = {} }: { on: boolean; changed?: ChangedLimits }): Limits {
  const max = (name: LimitName) => (on ? (changed[name] ?? LIMITS[name].max) : Number.POSITIVE_INFINITY);
  const limiters = new Map(
    limitRows.flatMap(([name, { seconds }]) => {
      const points = max(name);
      if (seconds === null || points === Number.POSITIVE_INFINITY) return [];
      return [[name, new RateLimiterMemory({ points, duration: seconds, keyPrefix: name })]];
    }),
  );
  return {
    async take(name, key, uses = 1) {
      try {
        await limiters.get(name)?.consume(key, uses);
      } catch (refused) {
        throw refused instanceof RateLimiterRes ? tooMany(toSeconds(refused.msBeforeNext)) : refused;
      }
    },
    async giveBack(name, key) {
      await limiters.get(name)?.reward(key);
    },
    max,
  };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
