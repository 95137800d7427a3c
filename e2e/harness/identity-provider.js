// In JavaScript, because the package has no types.
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const CLIENT = 'parley';
const PERSON = 'mia';
/** Its own pages load fonts from elsewhere. */
const PAGE =
  '<!doctype html><title>Acme ID</title><link rel="icon" href="data:,"><a href="?allowed">Continue as Mia</a>';

/**
 * Starts an OpenID Connect provider with one person, who signs in by a click.
 * @param {string} parley the origin of Parley
 */
export async function startIdentityProvider(parley) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        client_secret: 'of-the-tests',
        redirect_uris: [`${parley}/api/auth/oidc/callback`],
        backchannel_logout_uri: `${parley}/api/auth/oidc/backchannel-logout`,
      },
    ],
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: () => ({
      accountId: PERSON,
      claims: () => ({ sub: PERSON, name: 'Mia Park', email: 'mia@acme.example', email_verified: true }),
    }),
    // Nobody is asked for consent.
    async loadExistingGrant() {
      const grant = new provider.Grant({ clientId: CLIENT, accountId: PERSON });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    // Its own connections refuse to go to loopback.
    fetch: (url, { method, headers, body }) => fetch(url, { method, headers, body }),
  });
  const handle = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return handle(req, res);
    if (!req.url.endsWith('?allowed')) return res.setHeader('Content-Type', 'text/html').end(PAGE);
    return provider.interactionFinished(req, res, { login: { accountId: PERSON } });
  });
  return {
    issuer,
    /** The settings of Parley. */
    env: {
      PUBLIC_URL: parley,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_CLIENT_SECRET: 'of-the-tests',
      OIDC_NAME: 'Acme ID',
    },
    /** Ends all sessions that were opened with it. */
    logOut: async () => (await provider.Client.find(CLIENT))?.backchannelLogout(PERSON, ''),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
