import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSite, signUp } from '#test/factories';
import { callsTo } from '#test/harness';
import { endedImport, fileOfChats, PLAN, uploadHistory } from '#test/pastChats';
import { PASSWORD_COST, quietEnv } from '#test/settings';
import { builtWorkers } from '#test/workers';
import { boot } from '../../app/boot.ts';

const CHATS = 3;
const LATE_MS = 60_000;
const NOTICES_EVERY_MS = 250;

/** The reader, which is as slow as on an overloaded machine while this file is missing, and then makes it. */
function sometimesLate(reader: URL, file: string): URL {
  const code = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    if (existsSync(${JSON.stringify(file)})) await import(${JSON.stringify(reader.href)});
    else parentPort.on('message', () => writeFileSync(${JSON.stringify(file)}, ''));`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('an import whose file was read too slowly once is tried again', { timeout: LATE_MS }, async ({
  onTestFinished,
}) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-late-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const inTime = path.join(dataDir, 'in-time');
  await writeFile(inTime, '');
  const workers = await builtWorkers();
  const running = await boot(
    quietEnv(dataDir),
    { ...workers, importReader: sometimesLate(workers.importReader, inTime) },
    { now: Date.now, passwordCost: PASSWORD_COST, noticesEveryMs: NOTICES_EVERY_MS },
  );
  onTestFinished(running.stop);
  const api = callsTo(running.url);
  const { token } = await signUp(api);
  const { _id: site } = await createSite(api, token);
  const { _id } = await uploadHistory(running.url, token, site, fileOfChats(CHATS));

  await rm(inTime);
  await api(`POST /sites/${site}/imports/${_id}/run`, { token, body: { ...PLAN, dryRun: false } });
  expect(await endedImport(api, token, site, _id)).toMatchObject({ status: 'done', counts: { chats: CHATS } });
});
