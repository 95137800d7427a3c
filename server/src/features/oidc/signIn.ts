import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import type { Logger } from 'pino';
import { type AuthDeps, type Browser, type SignedIn, signIn } from '#features/auth';
import { AppError, conflict, notFound, sentence, type TranslatableText, unauthorized } from '#platform/http';
import { type SecretBox, sha256 } from '#platform/secrets';
import { MINUTE_MS } from '#platform/time';
import { findAccount, followRole, openAccount } from './accounts.ts';
import type { OidcExchangeBody, OidcStartBody } from './contract.ts';
import { keepOnce, prolongOnce, readOnce, takeOnce } from './once.ts';
import type { Checks, Identity, Oidc } from './provider.ts';

/** How long somebody may take at the provider. */
const LOGIN_MS = 10 * MINUTE_MS;
/** How long the page to which the browser is sent back may take to use its ticket. */
const TICKET_MS = MINUTE_MS;
/** The same while a second step is typed. */
const SECOND_STEP_MS = 5 * MINUTE_MS;
const TOKEN_BYTES = 32;
const SEALED_FOR = 'oidc';
const HOME = '/dashboard';
const SECURITY_SETTINGS = '/dashboard/settings?tab=security';

export interface OidcDeps extends AuthDeps {
  /** null: there is no provider. */
  oidc: Oidc | null;
  secretBox: SecretBox;
  log: Logger;
}

/** Where a sign-in began. The cookie ties it to one browser, so that nobody can have another person finish it. */
interface Begun extends Omit<OidcStartBody, 'returnTo'> {
  /** A hash of the browser's cookie. */
  cookie: string;
  returnTo: string;
  /** The account to connect; null: it is a sign-in. */
  connects: string | null;
}

type Login = Begun & Checks;

/** What came of it at the provider. */
interface Ticket extends Begun {
  /** Milliseconds. */
  at: number;
  outcome: { identity: Identity } | { refused: TranslatableText };
}

/** The provider. @throws AppError 404 where there is none */
export function providerOf({ oidc }: Pick<OidcDeps, 'oidc'>): Oidc {
  if (!oidc) throw notFound('call');
  return oidc;
}

/**
 * Begins a sign-in, or the connection of an account. Everything that must be known at its end is stored, so that any node can
 * finish it; each has a state of its own, so that two tabs do not get in each other's way.
 * @param cookie of the browser
 * @returns the address of the provider
 * @throws AppError 404 without a provider, 429, 503 when it cannot be reached
 */
export async function begin(
  deps: OidcDeps,
  { returnTo = HOME, ...asked }: OidcStartBody,
  { cookie, address, connects = null }: { cookie: string; address: string; connects?: string | null },
): Promise<string> {
  const oidc = providerOf(deps);
  await deps.limits.take('oidcPerAddress', address);
  const [state, nonce, verifier] = [newToken(), newToken(), newToken()];
  const url = await oidc.addressFor({ state, nonce, verifier }).catch((err) => {
    deps.log.warn({ err }, 'The OpenID Connect provider cannot be reached');
    throw unreachable(oidc);
  });
  const login: Login = { ...asked, returnTo, connects, cookie: sha256(cookie), state, nonce, verifier };
  await keepOnce('login', state, sealed(deps, login), deps.now() + LOGIN_MS);
  return url;
}

/** A random token that nobody can guess. */
export const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/**
 * Redeems what the browser brings back from the provider. The page to which it is sent on gets a ticket after `#`, which browsers
 * do not send, so that neither an address, a history nor a log has anything that is worth a session.
 * @param query of the address, with the `?`
 * @returns the path of the page
 */
export async function comeBack(deps: OidcDeps, query: string, cookie: string): Promise<string> {
  const oidc = providerOf(deps);
  const state = new URLSearchParams(query).get('state') ?? '';
  const login = opened<Login>(deps, await takeOnce('login', state, deps.now()));
  // A page without a ticket says that the sign-in has expired: nothing is stored for strangers.
  if (!login || login.cookie !== sha256(cookie)) return '/login#oidc=expired';
  const { nonce, verifier, state: _, ...begun } = login;
  const outcome = await oidc.identify(query, login).then(
    (identity) => ({ identity }),
    (err) => {
      deps.log.warn({ err }, 'A sign-in with the OpenID Connect provider failed');
      return { refused: refusalOf(oidc, err) };
    },
  );
  const ticket: Ticket = { ...begun, at: deps.now(), outcome };
  const token = newToken();
  await keepOnce('ticket', token, sealed(deps, ticket), ticket.at + TICKET_MS);
  return `${login.connects === null ? '/login' : SECURITY_SETTINGS}#oidc=${token}`;
}

/**
 * Signs in by a ticket. Parley's own second step is asked for where the account has one: its owner switched it on for this account,
 * and how well the provider protects its own is not known here.
 * @throws AppError 401 for a missing or wrong second step, 403 where suspended or sign-up is not open, 409 for a ticket that was
 *   used, has expired or belongs to another browser, for what the provider refused, and for an account that must be connected first
 */
export async function exchange(
  deps: OidcDeps,
  form: OidcExchangeBody,
  browser: Browser & { cookie: string },
): Promise<SignedIn & { returnTo: string }> {
  const oidc = providerOf(deps);
  const { connects, at, returnTo, identity, ...newcomer } = await readTicket(deps, form.ticket, browser.cookie);
  if (connects !== null) throw expired();
  const found = await findAccount(deps, oidc, identity);
  const step = found ? await deps.secondFactor(found.user, form) : 'passed';
  if (step === 'missing') {
    await prolongOnce('ticket', form.ticket, at + SECOND_STEP_MS);
    throw unauthorized(sentence('Enter the code of your authenticator app.'), 'TWO_FACTOR_REQUIRED');
  }
  if (step === 'wrong') throw unauthorized(sentence('This code is wrong or was already used.'), 'TWO_FACTOR_INVALID');
  await spend(deps, form.ticket);
  const user = await openAccount(deps, { identity, found, newcomer }, browser);
  const signedIn = await signIn(deps, await followRole(deps, user, identity), browser, form, identity.sid);
  await deps.limits.refund('oidcPerAddress', browser.address);
  return { ...signedIn, returnTo };
}

/**
 * Reads a ticket of this browser.
 * @throws AppError 409 as `exchange`
 */
export async function readTicket(deps: OidcDeps, token: string, cookie: string) {
  const ticket = opened<Ticket>(deps, await readOnce('ticket', token, deps.now()));
  if (!ticket || ticket.cookie !== sha256(cookie)) throw expired();
  const { outcome, cookie: _, ...begun } = ticket;
  if ('identity' in outcome) return { ...begun, identity: outcome.identity };
  await spend(deps, token);
  throw conflict('OIDC_REFUSED', outcome.refused);
}

/** Uses a ticket up. @throws AppError 409 when another call was faster */
export async function spend({ now }: OidcDeps, token: string): Promise<void> {
  if ((await takeOnce('ticket', token, now())) === null) throw expired();
}

const sealed = ({ secretBox }: OidcDeps, content: Login | Ticket) =>
  secretBox.seal(JSON.stringify(content), SEALED_FOR);

function opened<Content>({ secretBox }: OidcDeps, stored: string | null): Content | null {
  const text = stored === null ? null : secretBox.open(stored, SEALED_FOR);
  return text === null ? null : JSON.parse(text);
}

function refusalOf({ name }: Oidc, error: unknown): TranslatableText {
  const isRefused = error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
  return isRefused
    ? sentence('{name} did not allow the sign-in.', { name })
    : sentence('The sign-in with {name} failed. Please try again.', { name });
}

export function expired() {
  return conflict('OIDC_EXPIRED', sentence('This sign-in has expired. Please try again.'));
}

function unreachable({ name }: Oidc) {
  const text = sentence('{name} cannot be reached right now. Please try again in a moment.', { name });
  return new AppError(503, 'OIDC_UNREACHABLE', text);
}
