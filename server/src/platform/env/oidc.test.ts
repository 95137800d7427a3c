import { expect, test } from 'vitest';
import { readEnv } from './index.ts';

const SET = {
  PUBLIC_URL: 'https://chat.example.com',
  OIDC_ISSUER: 'https://login.example.com/realms/main',
  OIDC_CLIENT_ID: 'parley',
};

test('OIDC_ISSUER switches signing in with a provider on', () => {
  expect(readEnv({ PUBLIC_URL: SET.PUBLIC_URL }).oidc).toBeNull();
  expect(readEnv(SET).oidc).toEqual({
    issuer: SET.OIDC_ISSUER,
    clientId: 'parley',
    clientSecret: null,
    name: 'login.example.com',
    scopes: 'openid email profile',
    admins: null,
    only: false,
    redirectUri: 'https://chat.example.com/api/auth/oidc/callback',
  });
  const all = { ...SET, OIDC_CLIENT_SECRET: 's', OIDC_NAME: 'Acme', OIDC_SCOPES: 'openid groups', OIDC_ONLY: 'on' };
  expect(readEnv({ ...all, OIDC_ROLE_CLAIM: 'groups', OIDC_ADMIN_VALUE: 'it' }).oidc).toMatchObject({
    clientSecret: 's',
    name: 'Acme',
    scopes: 'openid groups',
    admins: { claim: 'groups', value: 'it' },
    only: true,
  });
});

test.each(['http://localhost:9000', 'http://127.0.0.1:9000/x', 'http://[::1]:9000'])(
  'the issuer may be %s, on this machine',
  (OIDC_ISSUER) => {
    expect(readEnv({ ...SET, OIDC_ISSUER }).oidc?.issuer).toBe(OIDC_ISSUER);
  },
);

test.each([
  [{ ...SET, OIDC_ISSUER: 'http://login.example.com' }, /OIDC_ISSUER must be/],
  [{ ...SET, OIDC_ISSUER: 'login.example.com' }, /OIDC_ISSUER must be/],
  [{ ...SET, OIDC_ISSUER: 'https://login.example.com/?a=b' }, /OIDC_ISSUER must be/],
  [{ ...SET, OIDC_CLIENT_ID: '' }, /needs OIDC_CLIENT_ID/],
  [{ ...SET, PUBLIC_URL: '' }, /needs PUBLIC_URL/],
  [{ ...SET, OIDC_SCOPES: 'email' }, /must contain openid/],
  [{ ...SET, OIDC_ROLE_CLAIM: 'groups' }, /must be set together/],
  [{ OIDC_ONLY: 'on' }, /OIDC_ONLY needs OIDC_ISSUER/],
  [{ ...SET, OIDC_ONLY: 'yes' }, /OIDC_ONLY must be one of/],
])('%o stops the start with an error', (vars, sentence) => {
  expect(() => readEnv(vars)).toThrow(sentence);
});
