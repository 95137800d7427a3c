import { events } from '../events.ts';
import type { Limits, RateName } from '../http/limits.ts';
import { sha256 } from '../secrets.ts';
import { type UserDoc, UserModel } from './model.ts';

/** So many browsers of one account are known; the one that became known first makes room. */
const DEVICES_MAX = 20;
/** Where bcrypt's salt stands in a hash, after `$2b$10$`. */
const SALT_START = 7;
const SALT_END = 29;

/** What is known of a log-in before its password is looked at. */
export interface LoginTry {
  email: string;
  /** The account of that e-mail. */
  user: UserDoc | null;
  /** As `addressKey` makes it. */
  address: string;
  /** What the browser keeps to be known again. */
  deviceToken: string | undefined;
}

/** A counted log-in, to be forgiven when it turns out to be rightful. */
export interface CountedTry {
  /** The password was right. */
  forgiveAccount(): Promise<void>;
  /** The second step was right too, or is still to come. */
  forgiveAddress(): Promise<void>;
}

/**
 * What wrong guesses at an account are counted by: guesses at an old password say nothing about a new one. The salt
 * changes with the password and tells nothing about it.
 */
export function guessKey({ _id, passwordHash }: Pick<UserDoc, '_id' | 'passwordHash'>): string {
  return `${_id.toHexString()} ${passwordHash.slice(SALT_START, SALT_END)}`;
}

/**
 * Counts one log-in, before its password is compared: a hundred tries at once are a hundred tries. Strangers' guesses
 * must not keep the owner out, so a browser that has signed in to the account before has a count of its own; all others
 * are counted by address and account, and only far beyond that by the account alone.
 * @throws AppError 429
 */
export async function countTry(limits: Limits, login: LoginTry): Promise<CountedTry> {
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
    async forgiveAccount() {
      for (const [name, key] of counts) await limits.giveBack(name, key);
    },
    async forgiveAddress() {
      if (!isKnown) await limits.giveBack('loginPerIp', address);
    },
  };
}

/** A burst of refusals is told once, not as often as it is tried. */
async function reportBurst(limits: Limits, email: string, user: UserDoc | null): Promise<void> {
  const isNews = await limits.take('burstPerAccount', email).then(
    () => true,
    () => false,
  );
  if (isNews) await events.emit('signInsRefused', { userId: user?._id.toHexString() ?? null });
}

/** Knows a browser again when it next signs in to this account. */
export async function rememberDevice({ _id, knownDevices }: UserDoc, deviceToken: string | undefined): Promise<void> {
  if (deviceToken === undefined) return;
  const hash = sha256(deviceToken);
  if (knownDevices?.includes(hash)) return;
  await UserModel.updateOne(
    { _id, knownDevices: { $ne: hash } },
    { $push: { knownDevices: { $each: [hash], $slice: -DEVICES_MAX } } },
  );
}
