import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { AppError, conflict, invalid, type Limits, sentence } from '#platform/http';
import { type Mail, mailboxOf, mailText } from '#platform/mail';
import { sha256 } from '#platform/secrets';
import { HOUR_MS } from '#platform/time';
import { RESET_LINK_HOURS, type ResetBody } from './contract.ts';
import { markVerified } from './emailVerification.ts';
import { rememberDevice } from './loginThrottle.ts';
import { ResetModel, type UserDoc, UserModel } from './model.ts';
import { mustUsePasswords, type Provider, passwordsOff } from './passwordSignIn.ts';
import { type Passwords, passwordProblem } from './passwords.ts';
import type { Sessions } from './sessions.ts';

const TOKEN_BYTES = 32;

export interface ResetDeps {
  sessions: Sessions;
  passwords: Passwords;
  limits: Limits;
  mail: Pick<Mail, 'enabled' | 'send'>;
  now: () => number;
  /** The provider with which people sign in; null: passwords alone. */
  oidc: Provider;
}

/**
 * Mails a link for a new password if the address has an account. The answer does not wait for the work, so that neither
 * the answer nor its time tells whether the account exists.
 * @param address where the request comes from, as `addressKey` makes it
 * @throws AppError 403 where passwords are switched off, 429
 */
export async function requestReset(deps: ResetDeps, email: string, address: string): Promise<void> {
  if (deps.oidc?.only) throw passwordsOff(deps.oidc);
  await deps.limits.take('forgotPerIp', address);
  mailLink(deps, email).catch((error) => {
    // The limit of mails to this address is reached. To answer that would tell that mails were sent there.
    if (!(error instanceof AppError)) events.fail(error, 'mailing a reset link');
  });
}

async function mailLink({ mail, limits, now }: ResetDeps, email: string): Promise<void> {
  if (!mail.enabled) return;
  await limits.take('resetMailsPerAccount', mailboxOf(email));
  const user = await UserModel.findOne({ email, deletedAt: { $exists: false } }).lean<UserDoc>();
  if (!user) return;
  const path = await makeResetLink(user._id, now(), user.email);
  await events.emit('resetLinkMade', { userId: user._id.toHexString(), by: 'mail' });
  await mail.send({
    kind: 'reset',
    to: user.email,
    language: user.language,
    subject: mailText('Choose a new password for Parley'),
    text: [
      mailText('Someone asked to reset the password of the account {email}.', { email: user.email }),
      mailText(
        'The link below works once, within an hour of that. If this was not you, ignore this mail: your password has not changed.',
      ),
    ],
    action: { label: mailText('Choose a new password'), path },
    footer: mailText('You get this mail because someone entered your address under ‘Forgot your password?’.'),
  });
}

/**
 * Makes a link that sets a new password once; only the hash of its token is stored.
 * @param now milliseconds
 * @param mailedTo where it is mailed, so that using it proves the address
 * @returns the path on this server, with the token after `#`: browsers do not send that part, so no server sees or logs
 *   it
 */
export async function makeResetLink(user: Types.ObjectId, now: number, mailedTo?: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now + RESET_LINK_HOURS * HOUR_MS);
  await ResetModel.create({ _id: sha256(token), user, expiresAt, ...(mailedTo !== undefined && { mailedTo }) });
  return `/reset#${token}`;
}

/**
 * Sets a new password by a link, signs out every session and voids the account's other links. From then on the browser
 * counts as known, so that wrong guesses by others cannot block its sign-in.
 * @throws AppError 403 where the account may not use one, 422 for an unfit password, 409 for a link that is unknown, used or too old
 */
export async function resetPassword(deps: ResetDeps, { token, newPassword, deviceToken }: ResetBody): Promise<void> {
  const link = { _id: sha256(token), expiresAt: { $gt: new Date(deps.now()) } };
  const request = await ResetModel.findOne(link, { user: 1, mailedTo: 1 }).lean();
  const user =
    request && (await UserModel.findOne({ _id: request.user, deletedAt: { $exists: false } }).lean<UserDoc>());
  const fault = passwordProblem(newPassword, user?.email ?? '');
  if (fault) throw invalid([{ msg: fault, path: 'newPassword' }]);
  if (!user) throw linkSpent();
  await mustUsePasswords(deps.oidc, user);
  const passwordHash = await deps.passwords.hash(newPassword);
  if (!(await removeOne(ResetModel, link))) throw linkSpent();
  await UserModel.updateOne({ _id: user._id }, { $set: { passwordHash } });
  await removeResetLinks(user._id);
  deps.sessions.forgetUser(user._id.toHexString());
  if (request.mailedTo !== undefined) await markVerified(deps, user._id, request.mailedTo);
  await deps.sessions.endAll(user._id, 'password_changed');
  await rememberDevice(user, deviceToken);
  await events.emit('passwordReset', { userId: user._id.toHexString() });
}

/** Voids an account's reset links: needed after its password or its e-mail has changed. */
export async function removeResetLinks(user: Types.ObjectId): Promise<void> {
  await ResetModel.deleteMany({ user });
}

function linkSpent() {
  return conflict('RESET_LINK_SPENT', sentence('This link was already used or has expired. Please ask for a new one.'));
}
