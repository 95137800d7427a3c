import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { OidcSettings } from '#platform/env';
import { HOUR_MS } from '#platform/time';

/** Longer than a slow provider takes, in seconds. */
const TIMEOUT_S = 10;
/** More than any answer of a provider has. */
const ANSWER_MAX_BYTES = 512 * 1024;
/** What the clocks of the two servers may differ, in seconds. */
const CLOCK_SKEW_S = 60;
/** Addresses and algorithms of the provider are read again after this time. */
const METADATA_KEPT_MS = HOUR_MS;
/** A logout token is refused when it is older. */
const LOGOUT_TOKEN_MAX_AGE_S = 300;
/** Those with a public key. */
const SIGNATURES = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What must be known again when the browser comes back. */
export interface Checks {
  state: string;
  nonce: string;
  /** The verifier of PKCE (RFC 7636). */
  verifier: string;
}

/** Whom the provider vouches for. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Null: the provider does not tell it. */
  email: string | null;
  emailVerified: boolean;
  name: string;
  /** Whether the provider makes this person a platform admin; null: that is not its business. */
  isAdmin: boolean | null;
  /** The session at the provider; empty: it names none. */
  sid: string;
}

/** Whose sessions the provider ends. */
export interface Logout {
  jti: string;
  issuer: string;
  subject: string | null;
  sid: string | null;
}

/** The OpenID Connect provider of this server. */
export interface Oidc extends Pick<OidcSettings, 'name' | 'only' | 'redirectUri'> {
  /** Where the browser goes to sign in. @throws Error when the provider cannot be reached */
  addressFor(checks: Checks): Promise<string>;
  /**
   * Redeems the code with which the browser comes back.
   * @param query of its address, with the `?`
   * @throws Error as openid-client does, for any answer that is not exactly right
   */
  identify(query: string, checks: Checks): Promise<Identity>;
  /** Reads a logout token. @throws Error for one that is not valid */
  readLogout(token: string): Promise<Logout>;
}

/** Fetches with a bound on the answer, which openid-client reads as a whole. */
async function boundedFetch(url: string, options?: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_MAX_BYTES) throw new Error('The OpenID Connect provider answers too much.');
    pieces.push(piece);
  }
  const { status, headers } = answer;
  return new Response(pieces.length > 0 ? Buffer.concat(pieces) : null, { status, headers });
}

/**
 * Connects to the provider when somebody first signs in: one that is down keeps nobody from starting Parley.
 * @param now milliseconds
 */
export function createOidc(settings: OidcSettings, now: () => number): Oidc {
  const { name, only, redirectUri, scopes, clientId } = settings;
  const discovered = remembered(() => discover(settings), now);

  return {
    name,
    only,
    redirectUri,

    async addressFor({ state, nonce, verifier }) {
      const { config } = await discovered();
      const code_challenge = await client.calculatePKCECodeChallenge(verifier);
      const pkce = { code_challenge, code_challenge_method: 'S256' };
      const asked = { redirect_uri: redirectUri, scope: scopes, state, nonce, ...pkce };
      return client.buildAuthorizationUrl(config, asked).href;
    },

    async identify(query, { state, nonce, verifier }) {
      const { config } = await discovered();
      const tokens = await client.authorizationCodeGrant(config, new URL(redirectUri + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const isWhole = claims.email !== undefined && claims.name !== undefined && settings.admins === null;
      const { userinfo_endpoint } = config.serverMetadata();
      const more =
        isWhole || !userinfo_endpoint ? {} : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return identityOf({ ...more, ...claims }, settings.admins);
    },

    async readLogout(token) {
      const { config, keys } = await discovered();
      const { issuer } = config.serverMetadata();
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: clientId,
        algorithms: SIGNATURES,
        clockTolerance: CLOCK_SKEW_S,
        maxTokenAge: LOGOUT_TOKEN_MAX_AGE_S,
        requiredClaims: ['iat', 'jti', 'events'],
        currentDate: new Date(now()),
      });
      const { jti, sub, sid, nonce, events } = payload;
      const isLogout = typeof Object(events)[LOGOUT_EVENT] === 'object' && nonce === undefined;
      const [subject, session] = [textOr(sub, null), textOr(sid, null)];
      if (!isLogout || typeof jti !== 'string' || (subject === null && session === null))
        throw new Error('This is no logout token.');
      return { jti, issuer, subject, sid: session };
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings) {
  const isPlain = issuer.startsWith('http:');
  const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])];
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: CLOCK_SKEW_S },
    proofOf(clientSecret),
    { execute, timeout: TIMEOUT_S, [client.customFetch]: boundedFetch as client.CustomFetch },
  );
  const { jwks_uri = '' } = config.serverMetadata();
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: TIMEOUT_S * 1000,
    [joseFetch]: boundedFetch,
  });
  return { config, keys };
}

/** How the client proves itself: as the provider wants it; `client_secret_basic` is what OpenID Connect presumes. */
function proofOf(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (as, ...asked) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(as, ...asked);
  };
}

/** Keeps what was read for `METADATA_KEPT_MS`, and longer while it cannot be read again; a failure is tried again at the next call. */
function remembered<Read>(read: () => Promise<Read>, now: () => number): () => Promise<Read> {
  let kept: { value: Promise<Read>; at: number } | undefined;
  return () => {
    if (kept && now() - kept.at < METADATA_KEPT_MS) return kept.value;
    const former = kept?.value;
    const value = read().catch((error) => {
      kept = former && { value: former, at: now() };
      if (former) return former;
      throw error;
    });
    kept = { value, at: now() };
    return value;
  };
}

function identityOf(claims: Record<string, unknown>, admins: OidcSettings['admins']): Identity {
  const { iss, sub, sid } = claims;
  const email = textOr(claims.email, null);
  const parts = [claims.given_name, claims.family_name].filter((part) => typeof part === 'string').join(' ');
  const name = [claims.name, parts, claims.preferred_username, email?.split('@')[0]].find((text) => textOr(text, null));
  return {
    issuer: String(iss),
    subject: String(sub),
    email,
    emailVerified: claims.email_verified === true,
    name: textOr(name, 'Parley'),
    isAdmin: admins && valuesAt(claims, admins.claim).includes(admins.value),
    sid: textOr(sid, ''),
  };
}

const textOr = <Other>(value: unknown, other: Other) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : other;

/**
 * The values of a claim: a text, a list, or the names in an object, as providers differ.
 * @param claim its name, which may have dots, or the way to it in nested ones (`realm_access.roles`)
 */
function valuesAt(claims: Record<string, unknown>, claim: string): unknown[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim
        .split('.')
        .reduce<unknown>((at, step) => (Object.hasOwn(Object(at), step) ? Object(at)[step] : undefined), claims);
  if (Array.isArray(found)) return found;
  return typeof found === 'object' && found !== null ? Object.keys(found) : [found];
}
