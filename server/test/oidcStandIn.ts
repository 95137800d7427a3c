import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import type { OidcSettings } from '../src/platform/env/index.ts';

/** The origin of Parley as the provider knows it; the browser of tests goes to the server in its stead. */
export const PARLEY = 'http://parley.test';
const CLIENT = 'parley';
const SECRET = 'of-this-client-only';
const KEY = { alg: 'RS256', kid: 'k1' };

/** Somebody with an account at the provider: the claims, by subject. */
export type People = Record<string, Record<string, unknown>>;

/** A certified OpenID Connect provider (`oidc-provider`) on loopback. Its people sign in without a question. */
export interface TestProvider {
  settings: OidcSettings;
  people: People;
  /** Who is about to sign in there; null: they refuse. */
  person: string | null;
  /** Where logout tokens go. */
  parleyUrl: string;
  /** Has the provider end a session, or all of the person without one. */
  logOut(subject: string, sid: string): Promise<void>;
  /** Signs any logout token with the provider's key. */
  logoutToken(claims: JWTPayload): Promise<string>;
  /** Stops answering, and comes back. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a provider. @param changes of Parley's settings */
export async function startProvider(people: People, changes: Partial<OidcSettings> = {}): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), ...KEY, use: 'sig' };
  const server = createServer();
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const started: TestProvider = {
    settings: {
      issuer,
      clientId: CLIENT,
      clientSecret: SECRET,
      name: 'Acme ID',
      scopes: 'openid email profile',
      admins: null,
      only: false,
      redirectUri: `${PARLEY}/api/auth/oidc/callback`,
      ...changes,
    },
    people,
    person: null,
    parleyUrl: '',
    logOut: async (subject, sid) => (await provider.Client.find(CLIENT)).backchannelLogout(subject, sid),
    logoutToken: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ ...KEY, typ: 'logout+jwt' })
        .setIssuedAt()
        .sign(privateKey),
    async down() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    up: () => listen(port),
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  const provider = new Provider(issuer, configurationOf(started, jwk));
  const handle = provider.callback();
  server.on('request', async (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return handle(req, res);
    const { person } = started;
    const refusal = { error: 'access_denied', error_description: 'The person <b>said</b> no' };
    await provider.interactionFinished(req, res, person === null ? refusal : { login: { accountId: person } });
  });

  const grants = new Map<string, InstanceType<typeof provider.Grant>>();

  function configurationOf(of: TestProvider, key: object): object {
    return {
      clients: [
        {
          client_id: CLIENT,
          client_secret: SECRET,
          redirect_uris: [of.settings.redirectUri],
          backchannel_logout_uri: `${PARLEY}/api/auth/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key] },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['of the tests'] },
      claims: { openid: ['sub', 'realm', 'realm.roles'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...of.people[id] }),
      }),
      // Nobody is asked for consent.
      async loadExistingGrant(ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
        const { client, session } = ctx.oidc;
        const { accountId } = session;
        // A new one for each sign-in would take the codes of the one before.
        const grant = grants.get(accountId) ?? new provider.Grant({ clientId: client.clientId, accountId });
        grants.set(accountId, grant);
        grant.addOIDCScope(of.settings.scopes);
        await grant.save();
        return grant;
      },
      // Its own connections refuse to go to loopback.
      fetch: (url: string | URL, { method, headers, body }: RequestInit) =>
        fetch(String(url).replace(PARLEY, of.parleyUrl), { method, headers, body } as RequestInit),
    };
  }

  return started;
}

/** A browser that keeps cookies, and goes where it is sent. */
export function newBrowser(parleyUrl: string) {
  const cookies = new Map<string, Map<string, string>>();

  /** One request, without following where it leads. */
  async function ask(url: string, options: RequestInit = {}): Promise<Response> {
    const jar = cookies.get(new URL(url).host) ?? new Map<string, string>();
    cookies.set(new URL(url).host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url.replace(PARLEY, parleyUrl), {
      ...options,
      redirect: 'manual',
      headers: { ...options.headers, ...(cookie && { Cookie: cookie }) },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    return answer;
  }

  /** A call of Parley. */
  async function call(name: string, body: object = {}, token?: string) {
    const [method = '', path] = name.split(' ');
    const answer = await ask(`${PARLEY}/api${path}`, {
      method,
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into field by field
    return { status: answer.status, body: (await answer.json()) as any, headers: answer.headers };
  }

  return {
    cookies,
    ask,
    call,
    /** Goes to the provider, and gives the address with which it sends the browser back. */
    async atProvider(url: string): Promise<string> {
      for (let at = url; ; ) {
        if (at.startsWith(PARLEY)) return at;
        const answer = await ask(at);
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`The provider answers ${answer.status}: ${await answer.text()}`);
        at = new URL(location, at).href;
      }
    },
    /** Comes back with it. @returns where Parley sends the browser */
    back: async (url: string) => (await ask(url)).headers.get('location') ?? '',
    /** The whole way to the ticket. */
    async ticket(body: object = {}): Promise<string> {
      const { url } = (await call('POST /auth/oidc/start', body)).body.data;
      return ticketIn(await this.back(await this.atProvider(url)));
    },
    /** The whole way to the session. */
    async signIn(body: object = {}, more: object = {}) {
      return call('POST /auth/oidc/exchange', { ticket: await this.ticket(body), ...more });
    },
  };
}

/** The ticket in an address that Parley sent a browser to. */
export const ticketIn = (address: string) => address.split('#oidc=')[1] ?? '';
