import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { ABSENT_MAX_MS } from './absentAgents.ts';
import { OPEN_WITHIN_MS } from './waiting.ts';

test('assigned chats are confirmed or returned to the queue after a restart', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-restart-'));
  const before = await startServer({ dataDir });
  const { token, user } = await signUp(before.api);
  const body = { name: 'Corner Shop', domain: 'shop.example.com' };
  const site: Site = (await before.api('POST /sites', { token, body })).body.data.site;
  const ask = async () => say(before.api, site, await visit(before.api, site), 'Hello');
  const claimerOf = async ({ api }: TestServer, id: string) =>
    (await api(`GET /chats/${id}`, { token })).body.data.chat.claimedBy?._id;

  await connectStaff(before.url, token);
  const unopened = await ask();
  await until(async () => (await claimerOf(before, unopened)) === user._id);
  const claimed = await ask();
  await until(async () => (await claimerOf(before, claimed)) === user._id);
  await before.api(`POST /chats/${claimed}/claim`, { token });
  hangUp();
  await before.stop();

  const after = await startServer({ dataDir });
  after.advance(OPEN_WITHIN_MS);
  await until(async () => (await claimerOf(after, unopened)) === undefined);
  expect(await claimerOf(after, claimed)).toBe(user._id);
  after.advance(ABSENT_MAX_MS);
  await until(async () => (await claimerOf(after, claimed)) === undefined);
  await after.stop();
  await rm(dataDir, { recursive: true, force: true });
});
