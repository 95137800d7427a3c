import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { MailInState } from '../../../../contract.ts';
import { events } from '../../../platform/events/index.ts';
import { DAY_MS } from '../../../platform/time/time.ts';

const FAILURE = 'EADDRINUSE';
let dataDir: string;
let server: TestServer;
let email: string;

const start = () =>
  startServer({
    dataDir,
    mailIn: {
      address: { local: 'chat', domain: 'in.example.com' },
      imap: null,
      listener: { protocol: 'smtp', host: '127.0.0.1', port: 0, tls: null },
      secret: 'sixteen-characters',
    },
  });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'mail-in-state-'));
  server = await start();
  ({ email } = (await signUp(server.api)).user);
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

async function state(): Promise<MailInState> {
  const { token } = (await server.api('POST /auth/login', { body: { email, password: PASSWORD } })).body.data;
  return (await server.api('GET /admin/mail-in', { token })).body.data.mailIn;
}
const port = async () => (await state()).doors.find(({ door }) => door === 'smtp');

test('a day counts what was added and why others were not; another begins anew, and knows of the last mail', async () => {
  await events.emit('mailReceived', { door: 'http', outcome: { end: 'added' } });
  await events.emit('mailReceived', { door: 'http', outcome: { end: 'added' } });
  await events.emit('mailReceived', { door: 'http', outcome: { end: 'refused', reason: 'list' } });
  await events.emit('mailReceived', { door: 'http', outcome: { end: 'later', reason: 'full' } });
  await events.emit('mailReceived', { door: 'http', outcome: { end: 'check' } });
  const before = await state();
  expect(before).toMatchObject({
    address: 'chat@in.example.com',
    waiting: null,
    today: { added: 2, later: 1, refused: { list: 1 } },
  });
  const http = before.doors.find(({ door }) => door === 'http');
  expect(http).toMatchObject({ node: null, isOpen: true, error: null, lastMailAt: expect.any(String) });
  await server.advance(DAY_MS);
  const after = await state();
  expect(after.today).toEqual({ added: 0, later: 0, refused: {} });
  expect(after.doors.find(({ door }) => door === 'http')).toMatchObject({ lastMailAt: http?.lastMailAt });
});

test('a port is open or not since its last change, whatever its next tries say, and ends with its process', async () => {
  await events.emit('mailInTried', { door: 'smtp', failure: 'EACCES' });
  const first = await port();
  expect(first).toMatchObject({ isOpen: false, error: 'EACCES', lastMailAt: null });
  expect(first?.node).toBeTruthy();
  await server.advance(60_000);
  await events.emit('mailInTried', { door: 'smtp', failure: FAILURE });
  expect(await port()).toEqual({ ...first, error: FAILURE });
  await events.emit('mailInTried', { door: 'smtp', failure: null });
  const opened = await port();
  expect(opened).toMatchObject({ isOpen: true, error: null });
  expect(opened?.since).not.toBe(first?.since);
  await events.emit('mailInTried', { door: 'smtp', failure: FAILURE });
  await server.stop();
  server = await start();
  expect((await state()).doors.map(({ error }) => error)).not.toContain(FAILURE);
});
