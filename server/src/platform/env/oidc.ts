import { EnvError, oneOf, text } from './values.ts';

/** The OpenID Connect provider with which people sign in. */
export interface OidcSettings {
  /** The issuer's URL, exactly as the provider says it. */
  issuer: string;
  clientId: string;
  /** null: a public client, which proves itself by PKCE alone. */
  clientSecret: string | null;
  /** What the button calls the provider. */
  name: string;
  scopes: string;
  /** Who is a platform admin is decided by the provider; null: by Parley. */
  admins: { claim: string; value: string } | null;
  /** Signing in with a password, registering and resetting a password are switched off. */
  only: boolean;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Reads the settings `OIDC_…`.
 * @param publicUrl the origin of this Parley; null: unknown
 * @throws EnvError
 */
export function readOidc(vars: NodeJS.ProcessEnv, publicUrl: string | null): OidcSettings | null {
  const issuer = text(vars, 'OIDC_ISSUER');
  const only = oneOf(vars, 'OIDC_ONLY', ['on', 'off'], 'off') === 'on';
  if (issuer === null) {
    if (only) throw new EnvError('OIDC_ONLY needs OIDC_ISSUER: nobody could sign in.');
    return null;
  }
  mustBeIssuer(issuer);
  const clientId = text(vars, 'OIDC_CLIENT_ID');
  if (clientId === null) throw new EnvError('OIDC_ISSUER needs OIDC_CLIENT_ID.');
  if (publicUrl === null) throw new EnvError('OIDC_ISSUER needs PUBLIC_URL: the provider sends people back to it.');
  const scopes = text(vars, 'OIDC_SCOPES') ?? 'openid email profile';
  if (!scopes.split(/\s+/).includes('openid')) throw new EnvError('OIDC_SCOPES must contain openid.');
  return {
    issuer,
    clientId,
    clientSecret: text(vars, 'OIDC_CLIENT_SECRET'),
    name: text(vars, 'OIDC_NAME') ?? new URL(issuer).hostname,
    scopes,
    admins: adminsOf(vars),
    only,
    redirectUri: `${publicUrl}/api/auth/oidc/callback`,
  };
}

/** Over plain HTTP, everybody on the way could sign in as anybody. */
function mustBeIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || url.username || url.search || url.hash)
    throw new EnvError(`OIDC_ISSUER must be an address like https://login.example.com/realms/main, not '${issuer}'.`);
}

function adminsOf(vars: NodeJS.ProcessEnv): OidcSettings['admins'] {
  const [claim, value] = [text(vars, 'OIDC_ROLE_CLAIM'), text(vars, 'OIDC_ADMIN_VALUE')];
  if ((claim === null) !== (value === null))
    throw new EnvError('OIDC_ROLE_CLAIM and OIDC_ADMIN_VALUE must be set together.');
  return claim !== null && value !== null ? { claim, value } : null;
}
