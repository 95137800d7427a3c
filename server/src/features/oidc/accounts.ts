import { changeAccount } from '#features/admin';
import {
  type AuthDeps,
  type Browser,
  createAccount,
  emailField,
  NO_PASSWORD,
  signupRight,
  type UserDoc,
  UserModel,
  unprovedIn,
} from '#features/auth';
import { NAME_MAX_LENGTH } from '#features/auth/contract';
import { events } from '#platform/events';
import { AppError, conflict, duplicateKey, sentence, validate } from '#platform/http';
import { storable } from '#platform/text';
import type { OidcStartBody } from './contract.ts';
import type { Identity, Oidc } from './provider.ts';

type AccountDeps = AuthDeps & { oidc: Oidc | null };

/** The account that somebody from the provider signs in to, and whether it is connected yet. */
interface Found {
  user: UserDoc;
  isConnected: boolean;
}

/**
 * The account of somebody from the provider; null: a newcomer. An account with the same e-mail is taken for theirs only when both
 * sides have proved the address: otherwise whoever is first to enter an address of somebody else would share that person's account.
 * @throws AppError 409 where the owner has to connect the account, or it has another connection; 422 for no e-mail
 */
export async function findAccount(
  { mail }: Pick<AccountDeps, 'mail'>,
  { name }: Pick<Oidc, 'name'>,
  { issuer, subject, email: given, emailVerified }: Identity,
): Promise<Found | null> {
  const connected = await UserModel.findOne({ 'oidc.subject': subject, 'oidc.issuer': issuer }).lean<UserDoc>();
  if (connected) return { user: connected, isConnected: true };
  if (given === null)
    throw conflict('OIDC_NO_EMAIL', sentence('{name} does not tell your email address, which Parley needs.', { name }));
  const user = await UserModel.findOne({ email: await emailOf(given) }).lean<UserDoc>();
  if (!user) return null;
  if (user.oidc)
    throw conflict(
      'OIDC_OTHER_ACCOUNT',
      sentence('Your account here is connected with another account of {name}.', { name }),
    );
  if (emailVerified && mail.enabled && !user.unprovedEmail) return { user, isConnected: false };
  throw conflict(
    'OIDC_NOT_CONNECTED',
    sentence(
      'An account with your email address exists already. Log in with its password, then connect it in Settings, Security, ‘Connect {name}’.',
      { name },
    ),
  );
}

async function emailOf(given: string): Promise<string> {
  const { email } = await validate({ email: emailField() }, { email: given });
  return String(email);
}

/** Somebody who signs in, and what was found of them. */
interface Arrival {
  identity: Identity;
  found: Found | null;
  newcomer: OidcStartBody;
}

/**
 * The account, connected, and made first where it is a newcomer's: under the same rules as a registration.
 * @throws AppError 403 where sign-up is not open for this person, 409, 429
 */
export async function openAccount(deps: AccountDeps, arrival: Arrival, browser: Browser): Promise<UserDoc> {
  const { identity, found, newcomer } = arrival;
  if (found) return found.isConnected ? found.user : connect(deps, found.user, identity);
  const email = await emailOf(identity.email ?? '');
  const right = await signupRight(deps, { ...newcomer, email }, browser);
  const name = [...storable(identity.name)].slice(0, NAME_MAX_LENGTH).join('').trim();
  const proof = identity.emailVerified ? {} : unprovedIn(deps);
  const fields = { name, email, passwordHash: NO_PASSWORD, oidc: connectionOf(identity), ...proof };
  return createAccount(deps, fields, right);
}

const connectionOf = ({ issuer, subject }: Identity) => ({ issuer, subject, since: new Date() });

/** Connects an account that has no connection. @throws AppError 409 where it has one, or another account has this one */
export async function connect({ sessions }: AccountDeps, { _id }: UserDoc, identity: Identity): Promise<UserDoc> {
  const taken = () =>
    conflict(
      'OIDC_CONNECTED',
      sentence('One of the two accounts is already connected with another one. Nothing was changed.'),
    );
  const changed = await UserModel.findOneAndUpdate(
    { _id, oidc: { $exists: false }, deletedAt: null },
    { $set: { oidc: connectionOf(identity) } },
    { returnDocument: 'after' },
  )
    .lean<UserDoc>()
    .catch((error) => {
      throw duplicateKey(error) ? taken() : error;
    });
  if (!changed) throw taken();
  await changedConnection(sessions, changed, 'oidcConnected');
  return changed;
}

/** Removes an account's connection; idempotent. */
export async function disconnect({ sessions }: AccountDeps, user: UserDoc): Promise<void> {
  const { modifiedCount } = await UserModel.updateOne(
    { _id: user._id, oidc: { $exists: true } },
    { $unset: { oidc: 1 } },
  );
  if (modifiedCount > 0) await changedConnection(sessions, user, 'oidcDisconnected');
}

async function changedConnection(sessions: AuthDeps['sessions'], { _id }: UserDoc, field: string): Promise<void> {
  const userId = _id.toHexString();
  sessions.forgetUser(userId);
  await events.emit('accountChanged', { userId, fields: [field] });
}

/** Gives an account the role that the provider says, where that is its business. The last platform admin stays one. */
export async function followRole({ sessions }: AccountDeps, user: UserDoc, { isAdmin }: Identity): Promise<UserDoc> {
  const role = isAdmin ? 'parley_admin' : 'user';
  if (isAdmin === null || user.role === role) return user;
  return changeAccount(sessions, null, user, { role }).catch((error) => {
    if (error instanceof AppError && error.code === 'LAST_ADMIN') return user;
    throw error;
  });
}
