import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, PASSWORD, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { connectStaff, hangUp } from '#test/sockets';
import { buildCommand } from '#test/workers';
import type { Site } from '../../../contract.ts';
import { MailModel } from '../../platform/mail/model.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time/time.ts';
import { NoticeModel } from './model.ts';

const DAYS_MS = 4 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
/** Work that is due, whichever kind. */
const DUE = { dueAt: { $exists: true } };

let box: Mailbox;
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-late-'));
  box = await startMailbox();
});
afterEach(async () => {
  hangUp();
  await box.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Leaves an invite that was refused for now, and notices to a visitor and to the team, all of them due. */
async function leaveWork(server: TestServer): Promise<{ owner: Account; site: Site }> {
  const owner = await signUp(server.api, 'Olga');
  const site = await createSite(server.api, owner.token, 'Shop');
  await until(async () => !(await MailModel.exists(DUE)));
  // With somebody online, nothing is due within a minute.
  await connectStaff(server.url, owner.token);
  box.refuse(451);
  await server.api('POST /team/invites', { token: owner.token, body: { siteId: site._id, email: 'old@example.com' } });
  const [answered, waiting] = await askTwice(server, owner, site);
  await until(
    async () => (await NoticeModel.countDocuments({ _id: { $in: [`${answered}:answer`, `${waiting}:team`] } })) === 2,
  );
  hangUp();
  return { owner, site };
}

/** A chat whose visitor left before it was answered, and one that nobody answers. */
async function askTwice({ api }: TestServer, { token }: Account, site: Site): Promise<[string, string]> {
  const vera = await visit(api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  const answered = await say(api, site, vera, 'Is it back?');
  await api(`POST /chats/${answered}/messages`, { token, body: { content: 'Yes' } });
  return [answered, await say(api, site, await visit(api, site), 'Old question')];
}

/** Has somebody ask, and waits until the owner has a mail of it and nothing is due any more. */
async function expectOnlyNew(server: TestServer, { owner, site }: { owner: Account; site: Site }): Promise<void> {
  const chat = await say(server.api, site, await visit(server.api, site), 'New question');
  await until(async () => NoticeModel.exists({ _id: `${chat}:team` }));
  server.advance(3 * MINUTE_MS);
  await until(async () => box.mails.length > 0);
  await until(
    async () => !(await NoticeModel.exists({ ...DUE, kind: { $ne: 'bell' } })) && !(await MailModel.exists(DUE)),
  );
  expect(box.mails.map(({ to }) => to?.[0]?.address)).toEqual([owner.user.email]);
  expect(box.mails[0]?.text).toContain('New question');
  expect(box.mails[0]?.text).not.toContain('Old question');
}

test('notices and mails that waited for days are not sent; new ones are', async () => {
  const settings = { ...mailingInto(box), dataDir };
  const before = await startServer(settings);
  const shop = await leaveWork(before);
  await before.stop();

  box.refuse(null);
  box.mails.length = 0;
  const after = await startServer(settings, {}, DAYS_MS);
  await expectOnlyNew(after, shop);
  await after.stop();
});

test('of a backup that is restored after months, and months without a mail server, nothing is sent; what is new is', async ({
  onTestFinished,
}) => {
  // The automatic backups run it.
  onTestFinished((await buildCommand('maintenance')).remove);
  const backups = { folder: path.join(dataDir, 'kept'), keep: 1 };
  const env = { mongodbUri: null, dataDir: path.join(dataDir, 'data') };
  const before = await startServer({ ...env, ...mailingInto(box) });
  const shop = await leaveWork(before);
  await before.stop();
  const backingUp = await startServer({ ...env, ...mailingInto(box), backups }, { backupsEveryMs: 50 });
  const [backup = ''] = await until(async () => {
    const kept = existsSync(backups.folder) ? readdirSync(backups.folder) : [];
    return kept[0]?.endsWith('Z') && kept;
  });
  await backingUp.stop();
  const restored = { ...env, dataDir: path.join(backups.folder, backup) };

  box.refuse(null);
  box.mails.length = 0;
  const silent = await startServer(restored, {}, MONTH_MS);
  const { email } = shop.owner.user;
  const { token } = (await silent.api('POST /auth/login', { body: { email, password: PASSWORD } })).body.data;
  await askTwice(silent, { ...shop.owner, token }, shop.site);
  await silent.stop();

  const after = await startServer({ ...restored, ...mailingInto(box) }, {}, 4 * MONTH_MS);
  expect(await NoticeModel.countDocuments(DUE)).toBeGreaterThan(0);
  await expectOnlyNew(after, shop);
  await after.stop();
});
