import type { Request, Response, Router } from 'express';
import {
  browserOf,
  type ConfirmDeps,
  confirm,
  confirmationSchema,
  deviceSchema,
  hasPassword,
  mustUsePasswords,
  type SignedInGuard,
  secondStepSchema,
  signupSchema,
  type UserDoc,
  userView,
} from '#features/auth';
import { anyone, conflict, endpoints, type InputSchema, sentence, text } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import { connect, disconnect } from './accounts.ts';
import type { OidcApi, OidcConnectionView } from './contract.ts';
import { endByProvider } from './logout.ts';
import { begin, comeBack, exchange, expired, newToken, type OidcDeps, readTicket, spend } from './signIn.ts';

const TICKET_MAX_LENGTH = 100;
const PATH_MAX_LENGTH = 500;
const LOGOUT_TOKEN_MAX_LENGTH = 8_000;
const FORM_LIMIT = '16kb';
/** As long as a sign-in may take at the provider. */
const COOKIE_MS = 10 * MINUTE_MS;
const COOKIE_VALUE = /^[\w-]{43}$/;
/** Pages of people who are signed in, and of invites: never another origin. */
const OWN_PATH = /^\/(dashboard|admin|invite)(?=[/?#]|$)[!-~]*$/;

const startSchema: InputSchema = {
  ...signupSchema,
  returnTo: {
    ...text({ label: 'returnTo', max: PATH_MAX_LENGTH, optional: true }),
    matches: { options: OWN_PATH, errorMessage: sentence('returnTo must be a path in the dashboard') },
  },
};
const ticketSchema: InputSchema = { ticket: text({ label: 'ticket', max: TICKET_MAX_LENGTH }) };
const exchangeSchema: InputSchema = { ...ticketSchema, ...secondStepSchema, ...deviceSchema };
const logoutSchema: InputSchema = {
  logout_token: text({ label: 'logout_token', max: LOGOUT_TOKEN_MAX_LENGTH, raw: true }),
};

/** The REST calls of signing in with an OpenID Connect provider. */
export function oidcRoutes(
  deps: OidcDeps & ConfirmDeps & { signedIn: SignedInGuard; publicUrl: string | null },
): Router {
  const { router, on } = endpoints<OidcApi>();
  const authenticate = deps.signedIn;
  const cookies = browserCookie(deps.publicUrl?.startsWith('https:') ?? false);

  on('GET /auth/oidc', { authenticate: anyone }, async () => ({
    data: { provider: deps.oidc && { name: deps.oidc.name, only: deps.oidc.only } },
  }));

  on(
    'POST /auth/oidc/start',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, body: startSchema },
    async ({ body, req, res }) => {
      const { address } = browserOf(req);
      return { data: { url: await begin(deps, body, { cookie: cookies.renew(req, res), address }) } };
    },
  );

  on('GET /auth/oidc/callback', { authenticate: anyone }, async ({ req }) => {
    const [, query = ''] = req.originalUrl.split(/(?=\?)/, 2);
    return { location: await comeBack(deps, query, cookies.read(req)) };
  });

  on(
    'POST /auth/oidc/exchange',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, body: exchangeSchema },
    async ({ body, req }) => {
      const { user, ...signedIn } = await exchange(deps, body, { ...browserOf(req), cookie: cookies.read(req) });
      return { message: 'Login successful!', data: { user: userView(user, deps.mail), ...signedIn } };
    },
  );

  on('GET /auth/oidc/connection', { authenticate }, async ({ caller: { user } }) => ({
    data: { connection: connectionView(user) },
  }));

  on('POST /auth/oidc/connect', { authenticate, body: confirmationSchema }, async ({ caller, body, req, res }) => {
    await confirm(deps, caller, body);
    const connects = caller.user._id.toHexString();
    const { address } = browserOf(req);
    return { data: { url: await begin(deps, {}, { cookie: cookies.renew(req, res), address, connects }) } };
  });

  on('POST /auth/oidc/connection', { authenticate, body: ticketSchema }, async ({ caller: { user }, body, req }) => {
    const { connects, identity } = await readTicket(deps, body.ticket, cookies.read(req));
    if (connects !== user._id.toHexString()) throw expired();
    await spend(deps, body.ticket);
    const connection = connectionView(await connect(deps, user, identity));
    if (!connection) throw expired();
    return { data: { connection } };
  });

  on('DELETE /auth/oidc/connection', { authenticate, body: confirmationSchema }, async ({ caller, body }) => {
    const { oidc: _, ...alone } = caller.user;
    await confirm(deps, caller, body);
    if (!hasPassword(alone))
      throw conflict('PASSWORD_NEEDED', sentence('Set a password first: without one you could not log in any more.'));
    await mustUsePasswords(deps.oidc, alone);
    await disconnect(deps, caller.user);
    return { data: {} };
  });

  on(
    'POST /auth/oidc/backchannel-logout',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, form: true, body: logoutSchema },
    async ({ body, req }) => {
      await endByProvider(deps, body.logout_token, browserOf(req).address);
      return { data: {} };
    },
  );

  return router;
}

function connectionView({ oidc }: UserDoc): OidcConnectionView | null {
  return oidc ? { since: oidc.since.toISOString() } : null;
}

/**
 * The cookie that ties a sign-in to the browser in which it began; all tabs share it. It is not sent with requests that other sites
 * make, but for the one with which the provider sends the browser back.
 * @param isSecure whether people reach Parley by HTTPS: then no other host of the domain can set it (`__Host-`)
 */
function browserCookie(isSecure: boolean) {
  const name = isSecure ? '__Host-parley_oidc' : 'parley_oidc';
  function read(req: Request): string {
    const given = (req.get('cookie') ?? '').split(';').map((cookie) => cookie.trim().split('='));
    const value = given.find(([key]) => key === name)?.[1] ?? '';
    return COOKIE_VALUE.test(value) ? value : '';
  }
  return {
    /** Its value; empty: there is none. */
    read,
    /** Its value, which it has for as long as a sign-in takes from now on. */
    renew(req: Request, res: Response): string {
      const value = read(req) || newToken();
      res.cookie(name, value, { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge: COOKIE_MS });
      return value;
    },
  };
}
