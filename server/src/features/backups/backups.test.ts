import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { smallDisk } from '#test/disk';
import { type Account, createSite, PASSWORD, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { mailingInto, startMailbox } from '#test/mailbox';
import { startNode } from '#test/nodes';
import { type BuiltCommand, buildCommand } from '#test/workers';
import type { BackupReport, Notice } from '../../../contract.ts';
import type { ExternalDeps } from '../../app/outside.ts';
import type { Env } from '../../platform/env/index.ts';
import { DAY_MS } from '../../platform/time/time.ts';
import { MessageModel } from '../chats/messageModel.ts';

let command: BuiltCommand;
let scratch: string;
let undo: (() => unknown)[] = [];

beforeAll(async () => {
  command = await buildCommand('maintenance');
});
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});
afterAll(() => command.remove());

async function started(env: Partial<Env> = {}, keep = 2, outside: ExternalDeps = {}) {
  scratch = mkdtempSync(path.join(tmpdir(), 'parley-backups-'));
  const own = scratch;
  undo.push(() => rmSync(own, { recursive: true, force: true }));
  const backups = { folder: path.join(scratch, 'kept'), keep };
  const server = await startServer({ mongodbUri: null, backups, ...env }, { backupsEveryMs: 50, ...outside });
  undo.push(() => server.stop());
  return { server, admin: await signUp(server.api) };
}

/** Sessions end meanwhile, so the account signs in again. */
async function nextDay(server: TestServer, account: Account): Promise<void> {
  server.advance(DAY_MS);
  const body = { email: account.user.email, password: PASSWORD };
  account.token = (await server.api('POST /auth/login', { body })).body.data.token;
}

const report = async ({ api }: TestServer, { token }: Account): Promise<BackupReport> =>
  (await api('GET /admin/overview', { token })).body.data.backups;
const notices = async ({ api }: TestServer, { token }: Account): Promise<Notice[]> =>
  (await api('GET /notices', { token })).body.data.notices;
const kept = () => readdirSync(path.join(scratch, 'kept')).sort();

test('one a day is made and checked, the newest are kept, and each can be started', async () => {
  const { server, admin } = await started();
  const site = await createSite(server.api, admin.token, 'Backed up');
  await until(async () => (await report(server, admin)).last);
  await nextDay(server, admin);
  await until(async () => (await report(server, admin)).count === 2);
  const [first, second] = kept();
  mkdirSync(path.join(scratch, 'kept', 'parley-2026-01-01T00-00-00Z.unchecked.part'));
  writeFileSync(path.join(scratch, 'kept', 'notes.txt'), 'mine');
  await nextDay(server, admin);
  await until(async () => !kept().includes(first ?? ''));
  expect(kept()).toEqual(['notes.txt', second, expect.stringMatching(/^parley-[\dT-]+Z$/)]);
  expect(await report(server, admin)).toEqual({
    last: { at: expect.any(String), bytes: expect.any(Number) },
    count: 2,
    keep: 2,
    failure: null,
  });

  const restored = mkdtempSync(path.join(tmpdir(), 'parley-restored-'));
  cpSync(path.join(scratch, 'kept', second ?? ''), restored, { recursive: true });
  const again = await startNode({ mongodbUri: null, dataDir: restored });
  undo.push(() => again.stop());
  const login = { email: admin.user.email, password: PASSWORD };
  const { token } = (await again.api('POST /auth/login', { body: login })).body.data;
  expect((await again.api(`GET /sites/${site._id}`, { token })).body.data.site.name).toBe('Backed up');
});

test('a failure is told to platform admins once, until a backup succeeds', async () => {
  const mailbox = await startMailbox();
  undo.push(() => mailbox.stop());
  const { server, admin } = await started(mailingInto(mailbox));
  const other = await signUp(server.api, 'Ben Okafor');
  await until(async () => (await report(server, admin)).last);
  const [first = ''] = kept();
  // A file where the folder was.
  rmSync(path.join(scratch, 'kept'), { recursive: true });
  writeFileSync(path.join(scratch, 'kept'), '');
  const [notice] = await until(async () => {
    const found = await notices(server, admin);
    return found.length > 0 && found;
  });
  expect(notice).toEqual({ about: 'backup', reason: expect.stringContaining('kept'), lastAt: null });
  expect(await notices(server, other)).toEqual([]);
  expect(await report(server, admin)).toMatchObject({ last: null, failure: { reason: expect.any(String) } });
  const mail = await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('backup')));
  expect(mail.subject).toBe('The backup of your Parley has failed');
  expect(mail.to).toMatchObject([{ address: admin.user.email }]);
  rmSync(path.join(scratch, 'kept'));
  await until(async () => (await notices(server, admin)).length === 0);
  expect(await report(server, admin)).toMatchObject({ count: 1, failure: null });
  expect(kept()).not.toContain(first);
  expect(mailbox.mails.filter(({ subject }) => subject?.includes('backup'))).toHaveLength(1);
});

test('a backup that takes too long is ended, leaves nothing, and is told as a failure', async () => {
  const { server, admin } = await started({}, 2, { backupMaxMs: 1 });
  const { failure } = await until(async () => {
    const told = await report(server, admin);
    return told.failure && told;
  });
  expect(failure?.reason).toContain('it took longer than');
  await until(async () => kept().length === 0);
  expect(await report(server, admin)).toMatchObject({ last: null, count: 0 });
});

test('a copy with errors does not count', async () => {
  const { server, admin } = await started();
  await until(async () => (await report(server, admin)).last);
  const before = kept();
  const site = await createSite(server.api, admin.token);
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'one');
  for (const text of ['two', 'three']) await say(server.api, site, session, text);
  await MessageModel.deleteOne({ chat, seq: 2 });
  await nextDay(server, admin);
  const { failure } = await until(async () => {
    const found = await report(server, admin);
    return found.failure && found;
  });
  expect(failure?.reason).toContain('Errors found');
  await MessageModel.deleteMany({ chat });
  // Nor does what is left of it stay.
  expect(kept()).toEqual(before);
  expect(existsSync(path.join(scratch, 'kept', before[0] ?? ''))).toBe(true);
});

test('a backup for which the disk has no room is not begun', async (context) => {
  const disk = smallDisk(32);
  if (!disk) return context.skip();
  undo.push(() => disk.remove());
  const server = await startServer(
    { mongodbUri: null, backups: { folder: path.join(disk.folder, 'kept'), keep: 2 } },
    { backupsEveryMs: 50 },
  );
  undo.push(() => server.stop());
  const admin = await signUp(server.api);
  const { failure } = await until(async () => {
    const found = await report(server, admin);
    return found.failure && found;
  });
  expect(failure?.reason).toContain('of free disk space');
  await until(async () => readdirSync(path.join(disk.folder, 'kept')).length === 0);
});
