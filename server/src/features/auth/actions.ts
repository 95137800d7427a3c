import { events } from '#platform/events';
import { conflict, duplicateKey, forbidden, invalid, sentence, unauthorized } from '#platform/http';
import type { KnownDevice, LoginBody, PasswordBody, ProfilePatch } from './contract.ts';
import { type EmailVerificationDeps, startEmailVerification } from './emailVerification.ts';
import { confirm, type SecondFactor } from './guards.ts';
import { countLogin, rememberDevice } from './loginThrottle.ts';
import { hasPassword, type UserDoc, UserModel } from './model.ts';
import { mustUsePasswords } from './passwordSignIn.ts';
import { passwordProblem } from './passwords.ts';
import { type PictureDeps, removePicture, storeFormPicture } from './pictures.ts';
import { makeResetLink, type ResetDeps, removeResetLinks } from './reset.ts';
import type { SessionCaller } from './sessions.ts';

export interface AuthDeps extends ResetDeps, PictureDeps, EmailVerificationDeps {
  signup: 'open' | 'invited' | 'closed';
  /** Checks the second step of sign-in for accounts that have one. */
  secondFactor: SecondFactor;
  /** Whether this invite allows a newcomer with this e-mail to sign up. @throws AppError 403 where its site may not */
  allowsSignup: (inviteId: string, email: string) => Promise<boolean>;
  /** The code that the first account must give; null: none is needed. */
  foundingCode: string | null;
}

/** Where a request comes from: used for limits and for the list of devices. */
export interface Browser {
  /** As `addressKey` makes it. */
  address: string;
  userAgent: string | undefined;
}

/** A signed-in account and its bearer token. */
export interface SignedIn {
  user: UserDoc;
  token: string;
}

/** Addresses are proved where mail can be sent. */
export const unprovedIn = ({ mail }: AuthDeps) => (mail.enabled ? { unprovedEmail: true } : {});

/**
 * Opens a session for somebody who has proved who they are.
 * @param oidcSid the session of the provider with which they did, as `SessionDoc` has it; absent: by password
 * @throws AppError 403 where suspended
 */
export async function signIn(
  { sessions }: AuthDeps,
  user: UserDoc,
  { userAgent }: Browser,
  { deviceToken }: KnownDevice,
  oidcSid?: string,
): Promise<SignedIn> {
  if (user.suspendedAt)
    throw forbidden(
      'ACCOUNT_SUSPENDED',
      sentence('This account is suspended. Please contact the administrator of this server.'),
    );
  const token = await sessions.open(user, userAgent, oidcSid);
  await rememberDevice(user, deviceToken);
  const userId = user._id.toHexString();
  await events.emit('signedIn', { userId, ...(oidcSid !== undefined && { by: 'oidc' as const }) });
  return { user, token };
}

/**
 * Signs in. Time and answer are the same whether or not the account exists, so that neither reveals it.
 * @throws AppError 401 for a wrong pair and for a missing or wrong second step, 403 where suspended or
 *   passwords are switched off, 429 after too many
 */
export async function login(deps: AuthDeps, form: LoginBody, browser: Browser): Promise<SignedIn> {
  const { email, password } = form;
  const user = await UserModel.findOne({ email }).lean<UserDoc>();
  const counted = await countLogin(deps.limits, {
    email,
    user,
    address: browser.address,
    deviceToken: form.deviceToken,
  });
  const fits = await deps.passwords.fits(password, user && hasPassword(user) ? user.passwordHash : null);
  if (!fits || !user) throw unauthorized(sentence('Invalid email or password'), 'INVALID_CREDENTIALS');
  await counted.refundAccount();
  // Only now: to somebody without the password, the answer must not tell who the admins are.
  await mustUsePasswords(deps.oidc, user);
  const step = await deps.secondFactor(user, form);
  if (step === 'wrong') throw unauthorized(sentence('This code is wrong or was already used.'), 'TWO_FACTOR_INVALID');
  await counted.refundAddress();
  if (step === 'missing')
    throw unauthorized(sentence('Enter the code of your authenticator app.'), 'TWO_FACTOR_REQUIRED');
  return signIn(deps, user, browser, form);
}

/**
 * Changes name, e-mail or picture; a new e-mail needs the confirmation.
 * @throws AppError 422 for a wrong or missing confirmation and for data that is not a picture, 409 for a taken
 *   e-mail
 */
export async function updateProfile(deps: AuthDeps, caller: SessionCaller, patch: ProfilePatch): Promise<UserDoc> {
  const { user } = caller;
  const { name = user.name, email = user.email, avatar, ...confirmation } = patch;
  if (email !== user.email) {
    await confirm(deps, caller, confirmation);
    // The answer tells whether an e-mail is taken. Without a limit, addresses could be tested for accounts one by one.
    await deps.limits.take('emailChangesPerAccount', user._id.toHexString());
  }
  const picture =
    avatar === undefined ? {} : { avatar: await storeFormPicture(deps, avatar, { owner: user._id, field: 'avatar' }) };
  try {
    const after = await UserModel.findByIdAndUpdate(
      user._id,
      {
        $set: {
          ...(patch.name !== undefined && { name }),
          ...(email !== user.email && { email, ...unprovedIn(deps) }),
          ...picture,
        },
      },
      { returnDocument: 'after' },
    ).lean<UserDoc>();
    deps.sessions.forgetUser(user._id.toHexString());
    if (!after) throw unauthorized();
    if (email !== user.email) await addressChanged(deps, user, after);
    const fields = [
      ...(name === user.name ? [] : ['name']),
      ...(email === user.email ? [] : ['email']),
      ...Object.keys(picture),
    ];
    if (avatar !== undefined) await removePicture(user.avatar);
    if (fields.length > 0) await events.emit('accountChanged', { userId: user._id.toHexString(), fields });
    return after;
  } catch (error) {
    throw duplicateKey(error) ? emailTaken() : error;
  }
}

/** Voids links that were mailed to the former address, notifies its owner, and starts the verification of the new one. */
async function addressChanged(deps: AuthDeps, { email: from, unprovedEmail }: UserDoc, after: UserDoc): Promise<void> {
  await removeResetLinks(after._id);
  await startEmailVerification(deps, after);
  await events.emit('emailChanged', { userId: after._id.toHexString(), from: unprovedEmail ? null : from });
}

/**
 * Sets a new password and signs out every other session.
 * @throws AppError 422 for a wrong confirmation or an unfit new password
 */
export async function changePassword(deps: AuthDeps, caller: SessionCaller, body: PasswordBody): Promise<void> {
  const { user } = caller;
  const fault = passwordProblem(body.newPassword, user.email);
  if (fault) throw invalid([{ msg: fault, path: 'newPassword' }]);
  await confirm(deps, caller, body);
  const passwordHash = await deps.passwords.hash(body.newPassword);
  await UserModel.updateOne({ _id: user._id }, { $set: { passwordHash } });
  await removeResetLinks(user._id);
  deps.sessions.forgetUser(user._id.toHexString());
  await deps.sessions.endAll(user._id, 'password_changed', caller.sessionId);
  await events.emit('passwordChanged', { userId: user._id.toHexString() });
}

/** 409: the address belongs to an account already. */
export function emailTaken() {
  return conflict('EMAIL_TAKEN', sentence('An account with this email already exists'));
}

/** A command that cannot be carried out; the message is shown to the operator. */
export class OperatorError extends Error {}

/**
 * Makes an account a platform admin.
 * @returns the sentence for the operator
 * @throws OperatorError for an unknown address
 */
export async function promote(email: string): Promise<string> {
  const { _id } = await accountOf(email);
  await UserModel.updateOne({ _id }, { $set: { role: 'parley_admin' } });
  await events.emit('accountPromoted', { userId: _id.toHexString() });
  return `${email} is now a platform admin.`;
}

/**
 * Makes a link by which the owner of an account chooses a new password.
 * @param origin what the link begins with
 * @param now milliseconds
 * @returns the sentence for the operator, with the link
 * @throws OperatorError for an unknown address
 */
export async function resetLinkFor(email: string, origin: string, now: number): Promise<string> {
  const { _id } = await accountOf(email);
  const path = await makeResetLink(_id, now);
  await events.emit('resetLinkMade', { userId: _id.toHexString(), by: 'operator' });
  return `This link sets a new password for ${email}. It works once and expires in one hour:\n\n  ${origin}${path}`;
}

/** The account with an e-mail address. @throws OperatorError for an unknown one */
export async function accountOf(email: string): Promise<UserDoc> {
  const user = await UserModel.findOne({ email, deletedAt: { $exists: false } }).lean<UserDoc>();
  if (!user) throw new OperatorError(`There is no account with the address ${email}.`);
  return user;
}
