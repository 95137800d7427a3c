import { events } from '#platform/events';
import type { Limits, RateName } from '#platform/http';
import { sha256 } from '#platform/secrets';
import { type UserDoc, UserModel } from './model.ts';

/** Known browsers of one account; beyond that, the one known longest is forgotten. */
const DEVICES_MAX = 20;
/** The offset of bcrypt's salt in a hash, after `$2b$10$`. */
const SALT_START = 7;
const SALT_END = 29;

/** What is known of a log-in before its password is compared. */
export interface LoginAttempt {
  email: string;
  /** The account with that e-mail; null: there is none. */
  user: UserDoc | null;
  /** As `addressKey` makes it. */
  address: string;
  /** The token by which a known browser is recognised. */
  deviceToken: string | undefined;
}

/** A log-in that was counted. The counts are given back when it proves to be rightful. */
export interface CountedLogin {
  /** Call it when the password was right. */
  refundAccount(): Promise<void>;
  /** Call it when the second step was right too, or is still to come. */
  refundAddress(): Promise<void>;
}

/**
 * The key by which wrong guesses at an account are counted. It holds the salt, which changes with the password and
 * reveals nothing about it: guesses at an old password do not count against a new one.
 */
export function guessKey({ _id, passwordHash }: Pick<UserDoc, '_id' | 'passwordHash'>): string {
  return `${_id.toHexString()} ${passwordHash.slice(SALT_START, SALT_END)}`;
}

/**
 * Counts one log-in before its password is compared, so that many tries at once cannot get past the limit. Other people's
 * guesses must not lock the owner out: a browser that has signed in to the account before has its own count. All others
 * are counted by address and account, and by the account alone only with a far higher limit.
 * @throws AppError 429
 */
export async function countLogin(limits: Limits, login: LoginAttempt): Promise<CountedLogin> {
  const { email, user, address, deviceToken } = login;
  const account = user ? guessKey(user) : email;
  const device = deviceToken === undefined ? null : sha256(deviceToken);
  const isKnown = device !== null && user?.knownDevices?.includes(device) === true;
  const counts: [RateName, string][] = isKnown
    ? [['loginPerDevice', `${account} ${device}`]]
    : [
        ['loginPerAccountAndIp', `${account} ${address}`],
        ['loginPerAccount', account],
      ];
  if (!isKnown) await limits.take('loginPerIp', address);
  for (const [name, key] of counts)
    await limits.take(name, key).catch(async (refused) => {
      await reportBurst(limits, email, user);
      throw refused;
    });
  return {
    async refundAccount() {
      for (const [name, key] of counts) await limits.refund(name, key);
    },
    async refundAddress() {
      if (!isKnown) await limits.refund('loginPerIp', address);
    },
  };
}

/** Reports a series of refusals once instead of once for each try. */
async function reportBurst(limits: Limits, email: string, user: UserDoc | null): Promise<void> {
  const isNews = await limits.take('burstPerAccount', email).then(
    () => true,
    () => false,
  );
  if (isNews) await events.emit('signInsRefused', { userId: user?._id.toHexString() ?? null });
}

/** Makes a browser known to this account, so that its next sign-in has its own count. */
export async function rememberDevice({ _id, knownDevices }: UserDoc, deviceToken: string | undefined): Promise<void> {
  if (deviceToken === undefined) return;
  const hash = sha256(deviceToken);
  if (knownDevices?.includes(hash)) return;
  await UserModel.updateOne(
    { _id, knownDevices: { $ne: hash } },
    { $push: { knownDevices: { $each: [hash], $slice: -DEVICES_MAX } } },
  );
}
