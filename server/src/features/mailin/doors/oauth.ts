import type { OAuthSettings } from '#platform/env';
import { SECOND_MS } from '#platform/time';
import type { RefreshTokens } from './refreshTokens.ts';

/** The longest wait for a token, in milliseconds. */
const ASK_MAX_MS = 15_000;
/** A token is renewed as long before its end, in seconds, so that it does not end on its way. */
const RENEWED_BEFORE_S = 60;
/** What a token lasts whose answer does not say it. */
const DEFAULT_LASTS_S = 300;

/** An access token was refused. `code` has the error of the protocol, such as `invalid_grant`, and nothing secret. */
class OAuthError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`No access token: ${code}`);
    this.code = code;
  }
}

/** The access tokens of one mailbox. */
export interface AccessTokens {
  /** A token that is valid now. @throws OAuthError; whatever `fetch` throws */
  current(signal: AbortSignal): Promise<string>;
  /** The mail server has refused the token: the next one is new. */
  forget(): void;
}

/**
 * Fetches access tokens by a refresh token, or else by the client's own credentials, and keeps each until shortly before its end.
 * @param refresh null: the client's own credentials
 * @see https://www.rfc-editor.org/rfc/rfc6749 sections 4.4 and 6
 */
export function createAccessTokens(
  settings: OAuthSettings,
  refresh: RefreshTokens | null,
  now: () => number,
): AccessTokens {
  let known = { token: '', endsAt: 0 };

  async function ask(signal: AbortSignal) {
    const refreshToken = refresh && (await refresh.newest());
    const response = await fetch(settings.tokenUrl, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(formOf(settings, refreshToken)),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MAX_MS)]),
    });
    const answer: unknown = await response.json().catch(() => null);
    const { access_token, refresh_token, expires_in, error } = (answer ?? {}) as Record<string, unknown>;
    if (!response.ok || typeof access_token !== 'string')
      throw new OAuthError(typeof error === 'string' && /^\w{1,40}$/.test(error) ? error : `HTTP_${response.status}`);
    if (typeof refresh_token === 'string' && refresh_token !== refreshToken) await refresh?.replace(refresh_token);
    const lastsS = (Number(expires_in) || DEFAULT_LASTS_S) - RENEWED_BEFORE_S;
    return { token: access_token, endsAt: now() + lastsS * SECOND_MS };
  }

  return {
    async current(signal) {
      if (now() >= known.endsAt) known = await ask(signal);
      return known.token;
    },
    forget() {
      known.endsAt = 0;
    },
  };
}

function formOf({ clientId, clientSecret, scope }: OAuthSettings, refreshToken: string | null): Record<string, string> {
  return {
    client_id: clientId,
    ...(clientSecret !== null && { client_secret: clientSecret }),
    ...(refreshToken === null
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken }),
    ...(scope !== null && { scope }),
  };
}
