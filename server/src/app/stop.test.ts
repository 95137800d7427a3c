import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createSite, newChat, signUp, until, visit } from '#test/factories';
import { startServer } from '#test/harness';
import { startProxiedStore } from '#test/proxiedStore';
import { documentOf } from '#test/wireMessages';
import { events } from '../platform/events/index.ts';

/** How long a slow listener takes: far more than all that a stop has to do besides. */
const SLOW_MS = 2_000;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-stop-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('messages committed while the server stops still reach the listeners', async () => {
  const server = await startServer();
  const owner = await signUp(server.api);
  const site = await createSite(server.api, owner.token);
  const { visitorToken } = await visit(server.api, site);
  const told: string[] = [];
  const stopListening = events.stopAll([
    events.on('chatOpened', () => new Promise((done) => setTimeout(done, SLOW_MS))),
    events.on('messageAdded', ({ message }) => {
      told.push(message.content);
    }),
  ]);

  const body = JSON.stringify({ clientId: randomUUID(), content: 'Just in time' });
  const headers = {
    Authorization: `Bearer ${visitorToken}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
  };
  const sending = request(`${server.url}/api/widget/${site.widgetCode}/messages`, { method: 'POST', headers });
  const answered = new Promise((resolve, reject) => {
    sending.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  const stopped = server.stop();
  const isRefused = () =>
    fetch(server.url)
      .then(() => false)
      .catch(() => true);
  await until(isRefused);
  sending.end(body);
  expect(await answered).toBe(201);
  await stopped;
  stopListening();
  expect(told).toEqual(['Just in time']);
});

test('a start that fails after the store has started leaves nothing running', async () => {
  const failing = startServer({ dataDir, mongodbUri: null, trustProxy: ['no address'] });
  await expect(failing).rejects.toThrow('no address');
  // The folder is free again, and whoever listened has stopped.
  const server = await startServer({ dataDir, mongodbUri: null });
  const owner = await signUp(server.api);
  expect((await createSite(server.api, owner.token)).name).toBe('Corner Shop');
  await server.stop();
});

test('what the database refuses while the server stops keeps nothing else running', async () => {
  let refuses = false;
  const store = await startProxiedStore(() => ({
    asked(bytes) {
      const { findAndModify } = documentOf(bytes);
      return refuses && findAndModify === 'usages' ? { ok: 0, code: 17_419, errmsg: 'Size is larger' } : bytes;
    },
  }));
  onTestFinished(store.stop);
  const server = await startServer(
    { mongodbUri: `mongodb://${store.address}/parley?directConnection=true` },
    { usageEveryMs: 2 ** 30 },
  );
  const owner = await signUp(server.api);
  await newChat(server.api, await createSite(server.api, owner.token), owner.token);
  refuses = true;
  await server.stop();
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});
