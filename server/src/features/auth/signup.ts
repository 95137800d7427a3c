import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { duplicateKey, forbidden, invalid, isDuplicate, sentence } from '#platform/http';
import { type AuthDeps, type Browser, emailTaken, type SignedIn, signIn, unprovedIn } from './actions.ts';
import type { RegisterBody } from './contract.ts';
import { startEmailVerification } from './emailVerification.ts';
import { type UserDoc, UserModel } from './model.ts';
import { passwordsOff } from './passwordSignIn.ts';
import { passwordProblem } from './passwords.ts';

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

/**
 * Makes an account and signs it in. The first account of an instance becomes its platform admin: it needs the founding
 * code instead of an invite.
 * @throws AppError 403 where sign-up is closed or only for the invited, 422 for a bad form, 409 for a taken e-mail, 429
 */
export async function register(deps: AuthDeps, form: RegisterBody, browser: Browser): Promise<SignedIn> {
  if (deps.oidc?.only) throw passwordsOff(deps.oidc);
  mustBeOpen(deps);
  if (form.password !== form.confirmPassword)
    throw invalid([{ msg: sentence('Passwords do not match'), path: 'confirmPassword' }]);
  const fault = passwordProblem(form.password, form.email);
  if (fault) throw invalid([{ msg: fault, path: 'password' }]);
  const right = await signupRight(deps, form, browser);
  const { name, email } = form;
  const passwordHash = await deps.passwords.hash(form.password);
  const user = await createAccount(deps, { name, email, passwordHash, ...unprovedIn(deps) }, right);
  return signIn(deps, user, browser, form);
}

/** Which account somebody may create: the first one of the server, or a later one. */
export interface SignupRight {
  first: boolean;
  later: boolean;
}

/** Whoever wants an account. */
type Newcomer = Pick<RegisterBody, 'email' | 'invite' | 'foundingCode'>;

/**
 * Which account this newcomer may create.
 * @throws AppError 403 for the first account without the founding code, and where only the invited or nobody may join, 409
 *   for a taken e-mail, 429
 */
export async function signupRight(deps: AuthDeps, newcomer: Newcomer, { address }: Browser): Promise<SignupRight> {
  mustBeOpen(deps);
  await deps.limits.take('registerPerIp', address);
  const right = await rightOf(deps, newcomer);
  if (await UserModel.exists({ email: newcomer.email })) throw emailTaken();
  return right;
}

function mustBeOpen({ signup }: AuthDeps): void {
  if (signup === 'closed') throw forbidden('SIGNUP_CLOSED', sentence('This server does not accept new accounts.'));
}

async function rightOf(deps: AuthDeps, { email, invite, foundingCode }: Newcomer): Promise<SignupRight> {
  if (!(await UserModel.exists({}))) {
    mustKnowFoundingCode(deps.foundingCode, foundingCode);
    return { first: true, later: deps.signup === 'open' };
  }
  if (deps.signup === 'open') return { first: false, later: true };
  if (invite !== undefined && (await deps.allowsSignup(invite, email))) return { first: false, later: true };
  throw notInvited();
}

type NewAccount = Pick<UserDoc, 'name' | 'email' | 'passwordHash' | 'unprovedEmail' | 'oidc'>;

/** Stores a new account, and asks its owner to prove the address where that is to be done. @throws AppError 403, 409 */
export async function createAccount(deps: AuthDeps, fields: NewAccount, right: SignupRight): Promise<UserDoc> {
  const user = await insertUser({ ...fields, createdAt: new Date() }, right);
  await startEmailVerification(deps, user);
  return user;
}

async function insertUser(fields: NewAccount & Pick<UserDoc, 'createdAt'>, right: SignupRight): Promise<UserDoc> {
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

function notInvited() {
  return forbidden('SIGNUP_CLOSED', sentence('You need an invite to create an account on this server.'));
}
