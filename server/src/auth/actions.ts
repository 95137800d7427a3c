import { bus } from '../bus.ts';
import { conflict, duplicateKey, forbidden, invalid, unauthorized } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { confirmPassword, type SecondFactor } from './confirm.ts';
import type { LoginBody, PasswordBody, ProfilePatch, RegisterBody } from './contract.ts';
import { type UserDoc, UserModel } from './model.ts';
import { passwordFault } from './passwords.ts';
import { dropPicture, takePicture } from './pictures.ts';
import { dropResetLinks, type ResetDeps } from './reset.ts';
import type { Caller } from './sessions.ts';

/** What the actions of accounts work with. */
export interface AuthDeps extends ResetDeps {
  signup: 'open' | 'invited' | 'closed';
  /** Asks an account that has one for its second step. */
  secondFactor: SecondFactor;
  /** Whether an open invite names this e-mail. */
  isInvited: (email: string) => Promise<boolean>;
}

/** Where a request comes from: for limits and the list of devices. */
export interface Browser {
  ip: string;
  userAgent: string | undefined;
}

interface SignedIn {
  user: UserDoc;
  token: string;
}

/**
 * Makes an account and signs it in. The first account of an instance is its platform admin, and needs no invite.
 * @throws AppError 403 where sign-up is closed or for the invited, 422 for a bad form, 409 for a taken e-mail, 429
 */
export async function register(deps: AuthDeps, form: RegisterBody, browser: Browser): Promise<SignedIn> {
  if (deps.signup === 'closed') throw forbidden('SIGNUP_CLOSED', 'New accounts are not open on this server.');
  if (form.password !== form.confirmPassword)
    throw invalid([{ msg: 'Passwords do not match', path: 'confirmPassword' }]);
  const fault = passwordFault(form.password, form.email);
  if (fault) throw invalid([{ msg: fault, path: 'password' }]);
  await deps.limits.take('registerPerIp', browser.ip);
  const mustBeFirst = deps.signup === 'invited' && !(await deps.isInvited(form.email));
  if (mustBeFirst && (await UserModel.exists({}))) throw notInvited();
  if (await UserModel.exists({ email: form.email })) throw emailTaken();
  const { name, email } = form;
  const passwordHash = await deps.passwords.hash(form.password);
  const user = await insertUser({ name, email, passwordHash, createdAt: new Date() }, mustBeFirst);
  return signIn(deps, user, browser);
}

async function signIn({ sessions }: AuthDeps, user: UserDoc, { userAgent }: Browser): Promise<SignedIn> {
  if (user.suspendedAt)
    throw forbidden('ACCOUNT_SUSPENDED', 'This account is suspended. Please ask whoever runs this server.');
  const token = await sessions.open(user, userAgent);
  await bus.tell('signedIn', { userId: user._id.toHexString() });
  return { user, token };
}

async function insertUser(
  fields: Pick<UserDoc, 'name' | 'email' | 'passwordHash' | 'createdAt'>,
  mustBeFirst: boolean,
  isFirst?: boolean,
): Promise<UserDoc> {
  const founder = isFirst ?? !(await UserModel.exists({}));
  if (mustBeFirst && !founder) throw notInvited();
  const role = founder ? 'parley_admin' : 'user';
  try {
    return (await UserModel.create({ ...fields, role, ...(founder ? { founder } : {}) })).toObject();
  } catch (error) {
    const keys = duplicateKey(error);
    if (keys?.includes('founder')) return insertUser(fields, mustBeFirst, false);
    throw keys ? emailTaken() : error;
  }
}

/**
 * Signs in. Takes the same time and answers the same whether the account exists or not.
 * @throws AppError 401 for a wrong pair and for a missing or wrong second step, 403 where suspended, 429 after too many
 */
export async function login(deps: AuthDeps, form: LoginBody, browser: Browser): Promise<SignedIn> {
  const { email, password } = form;
  // Counted before the comparison, which takes its time: a hundred tries at once are a hundred tries.
  await deps.limits.take('loginPerIp', browser.ip);
  await takeTry(deps.limits, email);
  const user = await UserModel.findOne({ email }).lean<UserDoc>();
  const fits = await deps.passwords.fits(password, user?.passwordHash ?? null);
  if (!fits || !user) throw unauthorized('Invalid email or password', 'INVALID_CREDENTIALS');
  await deps.limits.giveBack('loginPerAccount', email);
  const step = await deps.secondFactor(user, form);
  if (step === 'wrong') throw unauthorized('This code is wrong or was used already.', 'TWO_FACTOR_INVALID');
  await deps.limits.giveBack('loginPerIp', browser.ip);
  if (step === 'missing') throw unauthorized('Enter the code of your authenticator app.', 'TWO_FACTOR_REQUIRED');
  return signIn(deps, user, browser);
}

/** Counts one try at an account; a burst of them is told once, not as often as it is tried. */
async function takeTry(limits: Limits, email: string): Promise<void> {
  try {
    await limits.take('loginPerAccount', email);
  } catch (refused) {
    const isNews = await limits.take('burstPerAccount', email).then(
      () => true,
      () => false,
    );
    if (isNews) {
      const target = await UserModel.findOne({ email }, { _id: 1 }).lean();
      await bus.tell('signInsRefused', { userId: target?._id.toHexString() ?? null });
    }
    throw refused;
  }
}

/**
 * Changes name, e-mail or picture; a new e-mail needs the current password.
 * @throws AppError 422 for a wrong or missing current password and for what is no picture, 409 for a taken e-mail
 */
export async function updateProfile(deps: AuthDeps, { user }: Caller, patch: ProfilePatch): Promise<UserDoc> {
  const { name = user.name, email = user.email, avatar, currentPassword } = patch;
  if (email !== user.email) await confirmPassword(deps, user, currentPassword ?? '');
  const picture = avatar === undefined ? {} : { avatar: await takePicture(avatar, user._id, 'avatar') };
  try {
    const after = await UserModel.findByIdAndUpdate(
      user._id,
      { $set: { name, email, ...picture } },
      { returnDocument: 'after' },
    ).lean<UserDoc>();
    deps.sessions.forgetUser(user._id.toHexString());
    if (!after) throw unauthorized();
    if (email !== user.email) await dropResetLinks(user._id);
    const fields = [
      ...(name === user.name ? [] : ['name']),
      ...(email === user.email ? [] : ['email']),
      ...Object.keys(picture),
    ];
    if (avatar !== undefined) await dropPicture(user.avatar);
    if (fields.length > 0) await bus.tell('accountChanged', { userId: user._id.toHexString(), fields });
    return after;
  } catch (error) {
    throw duplicateKey(error) ? emailTaken() : error;
  }
}

/**
 * Sets a new password and signs out every other session.
 * @throws AppError 422 for a wrong current or an unfit new password
 */
export async function changePassword(deps: AuthDeps, caller: Caller, body: PasswordBody): Promise<void> {
  const { user } = caller;
  await confirmPassword(deps, user, body.currentPassword);
  const fault = passwordFault(body.newPassword, user.email);
  if (fault) throw invalid([{ msg: fault, path: 'newPassword' }]);
  const passwordHash = await deps.passwords.hash(body.newPassword);
  await UserModel.updateOne({ _id: user._id }, { $set: { passwordHash } });
  await dropResetLinks(user._id);
  deps.sessions.forgetUser(user._id.toHexString());
  await deps.sessions.endAll(user._id, 'password_changed', caller.sessionId);
  await bus.tell('passwordChanged', { userId: user._id.toHexString() });
}

function notInvited() {
  return forbidden('SIGNUP_CLOSED', 'New accounts need an invite on this server.');
}

function emailTaken() {
  return conflict('EMAIL_TAKEN', 'An account with this email already exists');
}
