import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { MINUTE_MS } from '../../platform/time/time.ts';

let dataDir: string;
let server: TestServer;
let owner: Account;
let site: Site;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-online-'));
  server = await startServer({ dataDir, mongodbUri: null });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(async () => {
  hangUp();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const isOnline = async (): Promise<boolean> => (await server.api(`GET /widget/${site.widgetCode}`)).body.data.online;

async function restart(afterMs = 0): Promise<void> {
  await server.stop();
  server = await startServer({ dataDir, mongodbUri: null }, {}, afterMs);
}

test('to visitors and teammates, a team that was online stays so over a restart while its dashboards connect again', async () => {
  await connectStaff(server.url, owner.token);
  await restart();
  expect(await isOnline()).toBe(true);

  const viewer = await signUp(server.api, 'Vic');
  await join(site, viewer, 'viewer');
  const { heard } = await connectStaff(server.url, viewer.token);
  const again = await connectStaff(server.url, owner.token);
  expect(await isOnline()).toBe(true);
  // What happens next is the first thing that teammates hear.
  await again.ask('set_availability', { online: false });
  await until(async () => heard('user_offline').length > 0);
  expect(heard('user_online').filter(({ userId }) => userId === owner.user._id)).toEqual([]);
  expect(await isOnline()).toBe(false);
});

test('somebody who does not come back is offline after a while, also after the next restart', async () => {
  await connectStaff(server.url, owner.token);
  await restart();
  await until(async () => !(await isOnline()));
  await restart();
  expect(await isOnline()).toBe(false);
});

test('somebody who chose to be offline is so after a restart', async () => {
  const ear = await connectStaff(server.url, owner.token);
  await ear.ask('set_availability', { online: false });
  await restart();
  expect(await isOnline()).toBe(false);
});

test('nobody is online because of a stop long ago', async () => {
  await connectStaff(server.url, owner.token);
  await restart(3 * MINUTE_MS);
  expect(await isOnline()).toBe(false);
});
