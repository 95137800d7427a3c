import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { events } from '#platform/events';
import { conflict, duplicateKey, forbidden, invalid, isDuplicate, sentence, unauthorized } from '#platform/http';
import type { LoginBody, PasswordBody, ProfilePatch, RegisterBody } from './contract.ts';
import { type EmailVerificationDeps, startEmailVerification } from './emailVerification.ts';
import { confirm, type SecondFactor } from './guards.ts';
import { countLogin, rememberDevice } from './loginThrottle.ts';
import { type UserDoc, UserModel } from './model.ts';
import { passwordProblem } from './passwords.ts';
import { type PictureDeps, removePicture, storeFormPicture } from './pictures.ts';
import { makeResetLink, type ResetDeps, removeResetLinks } from './reset.ts';
import type { Caller, SessionCaller } from './sessions.ts';

/** Crockford's Base32: leaves out letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 12;

/**
 * The code that the first account of a server must give. That account becomes the platform admin, so it must belong to
 * the person who started the server and not to the first stranger. The code is derived from the secret, so it is the same
 * after a restart and on every node. It has 60 random bits, too many to guess with the few sign-ups an hour that one
 * address may try.
 * @param secret signs the session tokens
 */
export function foundingCodeOf(secret: string): string {
  const digest = createHmac('sha256', secret).update('founding code').digest();
  const letters = [...digest.subarray(0, CHARACTERS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

/** The code that the next account must give; null: none is needed. */
export async function requiredFoundingCode(code: string | null): Promise<string | null> {
  return code !== null && !(await UserModel.exists({})) ? code : null;
}

/**
 * Checks the code for the first account.
 * @param code null: none is needed
 * @throws AppError 403 for a missing or wrong code
 */
function mustKnowFoundingCode(code: string | null, given = ''): void {
  if (code === null || timingSafeEqual(digestOf(code), digestOf(given))) return;
  throw forbidden(
    'FOUNDING_CODE_REQUIRED',
    sentence('The first account needs the founding code. Parley printed it at start: look in the terminal or the log.'),
  );
}

const digestOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^\da-z]/g, ''))
    .digest();

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

interface SignedIn {
  user: UserDoc;
  token: string;
}

/**
 * Makes an account and signs it in. The first account of an instance becomes its platform admin: it needs the founding
 * code instead of an invite.
 * @throws AppError 403 where sign-up is closed or only for the invited, 422 for a bad form, 409 for a taken e-mail, 429
 */
export async function register(deps: AuthDeps, form: RegisterBody, browser: Browser): Promise<SignedIn> {
  if (deps.signup === 'closed') throw forbidden('SIGNUP_CLOSED', sentence('This server does not accept new accounts.'));
  if (form.password !== form.confirmPassword)
    throw invalid([{ msg: sentence('Passwords do not match'), path: 'confirmPassword' }]);
  const fault = passwordProblem(form.password, form.email);
  if (fault) throw invalid([{ msg: fault, path: 'password' }]);
  await deps.limits.take('registerPerIp', browser.address);
  const right = await signupRight(deps, form);
  if (await UserModel.exists({ email: form.email })) throw emailTaken();
  const { name, email } = form;
  const passwordHash = await deps.passwords.hash(form.password);
  const proof = unprovedIn(deps);
  const user = await insertUser({ name, email, passwordHash, createdAt: new Date(), ...proof }, right);
  await startEmailVerification(deps, user);
  return signIn(deps, user, browser, form.deviceToken);
}

/** Addresses are proved where mail can be sent. */
const unprovedIn = ({ mail }: AuthDeps) => (mail.enabled ? { unprovedEmail: true } : {});

async function signIn(
  { sessions }: AuthDeps,
  user: UserDoc,
  { userAgent }: Browser,
  deviceToken: string | undefined,
): Promise<SignedIn> {
  if (user.suspendedAt)
    throw forbidden(
      'ACCOUNT_SUSPENDED',
      sentence('This account is suspended. Please contact the administrator of this server.'),
    );
  const token = await sessions.open(user, userAgent);
  await rememberDevice(user, deviceToken);
  await events.emit('signedIn', { userId: user._id.toHexString() });
  return { user, token };
}

/** Which account somebody may create: the first one of the server, or a later one. */
interface SignupRight {
  first: boolean;
  later: boolean;
}

/** @throws AppError 403 for the first account without the founding code, and where only the invited may join */
async function signupRight(deps: AuthDeps, form: RegisterBody): Promise<SignupRight> {
  if (!(await UserModel.exists({}))) {
    mustKnowFoundingCode(deps.foundingCode, form.foundingCode);
    return { first: true, later: deps.signup === 'open' };
  }
  if (deps.signup === 'open') return { first: false, later: true };
  if (form.invite !== undefined && (await deps.allowsSignup(form.invite, form.email)))
    return { first: false, later: true };
  throw notInvited();
}

async function insertUser(
  fields: Pick<UserDoc, 'name' | 'email' | 'passwordHash' | 'createdAt' | 'unprovedEmail'>,
  right: SignupRight,
): Promise<UserDoc> {
  const founder = right.first && !(await UserModel.exists({}));
  if (!founder && !right.later) throw notInvited();
  const role = founder ? 'parley_admin' : 'user';
  try {
    return (await UserModel.create({ ...fields, role, ...(founder ? { founder } : {}) })).toObject();
  } catch (error) {
    if (founder && isDuplicate(error, 'founder')) return insertUser(fields, { ...right, first: false });
    throw duplicateKey(error) ? emailTaken() : error;
  }
}

/**
 * Signs in. Time and answer are the same whether or not the account exists, so that neither reveals it.
 * @throws AppError 401 for a wrong pair and for a missing or wrong second step, 403 where suspended, 429 after too many
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
  const fits = await deps.passwords.fits(password, user?.passwordHash ?? null);
  if (!fits || !user) throw unauthorized(sentence('Invalid email or password'), 'INVALID_CREDENTIALS');
  await counted.refundAccount();
  const step = await deps.secondFactor(user, form);
  if (step === 'wrong') throw unauthorized(sentence('This code is wrong or was already used.'), 'TWO_FACTOR_INVALID');
  await counted.refundAddress();
  if (step === 'missing')
    throw unauthorized(sentence('Enter the code of your authenticator app.'), 'TWO_FACTOR_REQUIRED');
  return signIn(deps, user, browser, form.deviceToken);
}

/**
 * Changes name, e-mail or picture; a new e-mail needs the confirmation.
 * @throws AppError 422 for a wrong or missing confirmation and for data that is not a picture, 409 for a taken
 *   e-mail
 */
export async function updateProfile(deps: AuthDeps, { user }: Caller, patch: ProfilePatch): Promise<UserDoc> {
  const { name = user.name, email = user.email, avatar, currentPassword = '', ...step } = patch;
  if (email !== user.email) {
    await confirm(deps, user, { currentPassword, ...step });
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
  await confirm(deps, user, body);
  const passwordHash = await deps.passwords.hash(body.newPassword);
  await UserModel.updateOne({ _id: user._id }, { $set: { passwordHash } });
  await removeResetLinks(user._id);
  deps.sessions.forgetUser(user._id.toHexString());
  await deps.sessions.endAll(user._id, 'password_changed', caller.sessionId);
  await events.emit('passwordChanged', { userId: user._id.toHexString() });
}

function notInvited() {
  return forbidden('SIGNUP_CLOSED', sentence('You need an invite to create an account on this server.'));
}

function emailTaken() {
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
