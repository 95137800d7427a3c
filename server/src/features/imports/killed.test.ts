import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSite, signUp, until } from '#test/factories';
import type { Api } from '#test/harness';
import { startNode } from '#test/nodes';
import { endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';

const KILL_MS = 120_000;
/** Enough that the process is killed in the middle of them. */
const CHATS = 600;

test('an import goes on after its process was killed, and doubles nothing', { timeout: KILL_MS }, async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-import-'));
  const file = fileOfChats(CHATS);
  const first = await startNode({ dataDir, mongodbUri: null });
  const { token } = await signUp(first.api);
  const { _id: site } = await createSite(first.api, token);
  const run = (api: Api, id: string, dryRun: boolean) =>
    api(`POST /sites/${site}/imports/${id}/run`, { token, body: { ...PLAN, dryRun } });

  const { _id } = await uploadHistory(first.url, token, site, file);
  await run(first.api, _id, false);
  const done = async () => (await first.api(`GET /sites/${site}/imports/${_id}`, { token })).body.data.import.done;
  await until(async () => (await done()) > 0);
  await first.kill();

  const second = await startNode({ dataDir, mongodbUri: null });
  expect(await endedImport(second.api, token, site, _id)).toMatchObject({
    status: 'done',
    counts: { chats: CHATS, messages: 2 * CHATS, people: CHATS, knownChats: 0 },
  });
  const again = await uploadHistory(second.url, token, site, file);
  await run(second.api, again._id, true);
  expect((await endedImport(second.api, token, site, again._id)).counts).toMatchObject({
    chats: 0,
    knownChats: CHATS,
    knownMessages: 2 * CHATS,
  });
  const { messages } = (await second.api(`GET /search?q=number${CHATS - 1}`, { token })).body.data;
  expect(messages).toHaveLength(1);
  await second.stop();
  await rm(dataDir, { recursive: true });
});
