import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connection } from '#platform/database';
import { createSecretBox } from '#platform/secrets';
import { sharedServer, type TestServer } from '#test/harness';
import { mailboxOf, startImapStandIn } from '#test/imapStandIn';
import { failureCode, MAILBOX_TIMES, openMailbox } from './mailbox.ts';
import { createAccessTokens } from './oauth.ts';
import { storedTokens } from './refreshTokens.ts';

let server: TestServer;
let provider: Server;
/** The forms that came, and the answer to each. */
let forms: Record<string, string>[];
let answer: { status: number; body: object };
let time: number;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  forms = [];
  time = Date.now();
  provider = createServer(async (request, response) => {
    forms.push(Object.fromEntries(new URLSearchParams(await text(request))));
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterEach(async () => {
  provider.closeAllConnections();
  provider.close();
  await once(provider, 'close');
});

const secretBox = createSecretBox('a key of this test');
const box = `${randomUUID()}@example.org/INBOX`;
const tokensOf = (refreshToken: string | null, mailbox = box) =>
  createAccessTokens(
    {
      tokenUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`,
      clientId: 'parley',
      clientSecret: 'shh',
      refreshToken,
      scope: 'mail',
    },
    refreshToken === null ? null : storedTokens(mailbox, refreshToken, secretBox),
    () => time,
  );
const { signal } = new AbortController();

test('a token is kept until shortly before its end, and renewed with the newest refresh token', async () => {
  const tokens = tokensOf('r1');
  answer = { status: 200, body: { access_token: 'a1', expires_in: 3_600, refresh_token: 'r2' } };
  expect([await tokens.current(signal), await tokens.current(signal)]).toEqual(['a1', 'a1']);
  expect(forms).toEqual([
    { client_id: 'parley', client_secret: 'shh', grant_type: 'refresh_token', refresh_token: 'r1', scope: 'mail' },
  ]);
  time += 3_550_000;
  answer.body = { access_token: 'a2', expires_in: 3_600 };
  expect(await tokens.current(signal)).toBe('a2');
  expect(forms[1]?.refresh_token).toBe('r2');
  tokens.forget();
  answer.body = { access_token: 'a3', expires_in: 3_600 };
  expect(await tokens.current(signal)).toBe('a3');
});

test('a new refresh token is there after a restart, encrypted, until the operator gives another one', async () => {
  answer = { status: 200, body: { access_token: 'a', refresh_token: 'rotated' } };
  await tokensOf('first').current(signal);
  answer.body = { access_token: 'a' };
  const asked = async (given: string, mailbox?: string) => {
    await tokensOf(given, mailbox).current(signal);
    return forms.at(-1)?.refresh_token;
  };
  expect([await asked('first'), await asked('first', 'other@example.org/INBOX')]).toEqual(['rotated', 'first']);
  expect(await asked('second')).toBe('second');
  const stored = await connection.db?.collection('mailboxtokens').findOne({ _id: box as never });
  expect(stored?.sealed).toEqual(expect.any(String));
  expect(JSON.stringify(stored)).not.toMatch(/rotated|first/);
});

test('without a refresh token the client speaks for itself, and a refusal says its code and nothing else', async () => {
  const tokens = tokensOf(null);
  answer = { status: 400, body: { error: 'invalid_grant', error_description: 'user chat@example.org is locked' } };
  const failed = await tokens.current(signal).catch((error) => error);
  expect([failureCode(failed), failed.message]).toEqual(['invalid_grant', 'No access token: invalid_grant']);
  expect(forms[0]?.grant_type).toBe('client_credentials');
  answer = { status: 503, body: { error: 'mail chat@example.org' } };
  expect(failureCode(await tokens.current(signal).catch((error) => error))).toBe('HTTP_503');
});

test('a mailbox takes the token by XOAUTH2, and a wrong one is a failed authentication', async () => {
  const standIn = await startImapStandIn();
  standIn.token = 'good';
  const settings = mailboxOf(standIn, 'chat@example.org');
  const failed = await openMailbox(settings, 'old', MAILBOX_TIMES, signal).catch((error) => error);
  expect(failureCode(failed)).toBe('authentication');
  const mailbox = await openMailbox(settings, 'good', MAILBOX_TIMES, signal);
  expect(mailbox.uidValidity).toBe('1');
  mailbox.close();
  await standIn.stop();
});
