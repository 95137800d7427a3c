import { HOUR_S, MINUTE_S } from '#platform/time';
import { type Limit, rate } from './limitRow.ts';

/** The limits of accounts: signing in and up, and proving who one is. */
export const AUTH_LIMITS = {
  loginPerAccountAndIp: {
    ...rate(10, 'wrong passwords for one account', 15 * MINUTE_S, 'address'),
    why: 'Against guessing passwords. It blocks the address of the attacker, not the owner of the account.',
  },
  loginPerDevice: {
    ...rate(10, 'wrong passwords from one known browser', 15 * MINUTE_S, 'account'),
    why: 'A browser that has signed in before has a count of its own, so that attacks from elsewhere do not block it.',
  },
  loginPerAccount: {
    ...rate(100, 'wrong passwords', 15 * MINUTE_S, 'account'),
    why: 'Against guessing from many addresses. It is high, so that a few strangers cannot block the owner in a new browser.',
  },
  emailChangesPerAccount: {
    ...rate(5, 'new e-mail addresses', HOUR_S, 'account'),
    why: 'Against finding out which addresses have an account.',
  },
  confirmPerAccount: {
    ...rate(10, 'wrong passwords in the settings', 15 * MINUTE_S, 'account'),
    why: 'Against guessing the password in a browser that is signed in.',
  },
  loginPerIp: {
    ...rate(50, 'wrong passwords', 15 * MINUTE_S, 'address'),
    why: 'Against trying one password on many accounts. It is enough for the typing errors of an office with one address.',
  },
  burstPerAccount: {
    ...rate(1, 'entry in the log', 15 * MINUTE_S, 'account'),
    why: 'A series of refusals for one account is logged once.',
  },
  codePerAccount: {
    ...rate(5, 'wrong codes', 15 * MINUTE_S, 'account'),
    why: 'At any time, three of the million possible codes are valid.',
  },
  oidcPerAddress: {
    ...rate(100, 'sign-ins with the provider that come to nothing', 15 * MINUTE_S, 'address'),
    why: 'Each is stored until it expires, and asks the provider. It is enough for an office with one address, since those that succeed do not count.',
  },
  oidcLogoutsPerAddress: {
    ...rate(30, 'logout tokens that are not valid', MINUTE_S, 'address'),
    why: 'Checking a signature takes time, and strangers can send anything. Those of the provider are not counted.',
  },
  registerPerIp: {
    ...rate(10, 'new accounts', HOUR_S, 'address'),
    why: 'Against creating accounts automatically.',
  },
  forgotPerIp: {
    ...rate(10, 'forgotten passwords', HOUR_S, 'address'),
    why: 'Against using the server to send mails to strangers.',
  },
  resetMailsPerAccount: {
    ...rate(3, 'mails with a link for a new password', HOUR_S, 'account'),
    why: 'Against flooding a mailbox.',
  },
  emailLinksPerMailbox: {
    ...rate(5, 'links that confirm an address', 24 * HOUR_S, 'mailbox'),
    why: 'Accounts can be created with addresses of strangers. Their owners get nothing else.',
  },
} as const satisfies Record<string, Limit>;
