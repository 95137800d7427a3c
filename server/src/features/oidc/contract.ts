import type { Confirmation, KnownDevice, RegisterBody, SecondStep, SignedIn } from '#features/auth/contract';

/** The OpenID Connect provider with which people sign in. */
export interface OidcProvider {
  /** As its button calls it. */
  name: string;
  /** Whether passwords are switched off, except for the last platform admin. */
  only: boolean;
}

/** What a sign-in begins with; `invite` and `foundingCode` count for newcomers. */
export interface OidcStartBody extends Pick<RegisterBody, 'invite' | 'foundingCode'> {
  /** The path in the dashboard to go to afterwards. */
  returnTo?: string;
}

/** The end of a sign-in. */
export interface OidcExchangeBody extends SecondStep, KnownDevice {
  /** What the address has after `#oidc=`; it works once, and for a minute. */
  ticket: string;
}

/** The connection of the account with one of the provider. */
export interface OidcConnectionView {
  /** ISO 8601 UTC */
  since: string;
}

/** The REST calls of signing in with an OpenID Connect provider. */
export interface OidcApi {
  /** Null: there is none. */
  'GET /auth/oidc': { data: { provider: OidcProvider | null } };
  /** Answers the address of the provider to which the browser goes. */
  'POST /auth/oidc/start': { body: OidcStartBody; data: { url: string } };
  /** The provider sends the browser here. It is sent on to a page of the dashboard, with a ticket after `#oidc=`. */
  'GET /auth/oidc/callback': { data: never };
  /** As `POST /auth/login`: an account with a second step is answered 401 `TWO_FACTOR_REQUIRED` without it. */
  'POST /auth/oidc/exchange': { body: OidcExchangeBody; data: SignedIn & { returnTo: string } };
  'GET /auth/oidc/connection': { data: { connection: OidcConnectionView | null } };
  /** Begins to connect the account of the caller. */
  'POST /auth/oidc/connect': { body: Confirmation; data: { url: string } };
  'POST /auth/oidc/connection': { body: { ticket: string }; data: { connection: OidcConnectionView } };
  'DELETE /auth/oidc/connection': { body: Confirmation; data: Record<string, never> };
  /** OpenID Connect Back-Channel Logout 1.0: the provider ends sessions. The body is a form. */
  'POST /auth/oidc/backchannel-logout': { body: { logout_token: string }; data: Record<string, never> };
}
