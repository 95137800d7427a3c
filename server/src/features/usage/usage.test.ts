import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterEach, describe, expect, test } from 'vitest';
import { smallDisk } from '#test/disk';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { mailingInto, startMailbox } from '#test/mailbox';
import { connectStaff, hangUp } from '#test/sockets';
import { uploadAsVisitor, uploadToChat } from '#test/uploads';
import type { Site, SiteUsage, StorageNotice, VisitorSession } from '../../../contract.ts';
import type { Env } from '../../platform/env/index.ts';
import type { ChangedLimits } from '../../platform/http/limits/limits.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { UsageModel } from './model.ts';

let undo: (() => unknown)[] = [];
afterEach(async () => {
  hangUp();
  for (const step of undo.toReversed()) await step();
  undo = [];
});

async function started(limits: ChangedLimits, env: Partial<Env> = {}) {
  const server = await startServer({ rateLimits: true, limits, ...env });
  undo.push(() => server.stop());
  const owner = await signUp(server.api);
  return { server, owner, site: await createSite(server.api, owner.token) };
}

const usageOf = async ({ api }: TestServer, { token }: Account, { _id }: Site): Promise<SiteUsage> =>
  (await api(`GET /sites/${_id}/usage`, { token })).body.data?.usage;

const noticesOf = async ({ api }: TestServer, { token }: Account): Promise<StorageNotice[]> =>
  (await api('GET /notices', { token })).body.data.notices;

async function write({ api }: TestServer, site: Site, session: VisitorSession, clientId = randomUUID()) {
  const body = { clientId, content: 'x'.repeat(500) };
  return api(`POST /widget/${site.widgetCode}/messages`, { token: session.visitorToken, body });
}

describe('the storage usage of a site', () => {
  test('grows with messages, notes and files, and shrinks when they are deleted', async () => {
    const { server, owner, site } = await started({});
    const { api } = server;
    expect(await usageOf(server, owner, site)).toEqual({
      text: { bytes: 0, max: 2 ** 30 },
      files: { bytes: 0, max: 5 * 2 ** 30 },
    });
    const session = await visit(api, site);
    const chat = await say(api, site, session, 'x'.repeat(1000));
    await until(async () => (await usageOf(server, owner, site)).text.bytes === 1500);
    await uploadAsVisitor(server, site, session, 'y'.repeat(3000), { name: 'a.txt', type: 'text/plain' });
    await until(async () => (await usageOf(server, owner, site)).files.bytes === 3000);
    await api(`POST /chats/${chat}/notes`, { token: owner.token, body: { content: 'z' } });
    await until(async () => (await usageOf(server, owner, site)).text.bytes === 1500 + 505 + 501);
    await api(`DELETE /chats/${chat}`, { token: owner.token });
    await until(async () => {
      const { text, files } = await usageOf(server, owner, site);
      return text.bytes === 0 && files.bytes === 0;
    });
  });

  test('is kept over a restart, and counted again after a crash or when it was never counted', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-usage-'));
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const kept = { dataDir, mongodbUri: null };
    const { server, owner, site } = await started({}, kept);
    await newChat(server.api, site, owner.token, 'x'.repeat(1000));
    await server.stop();
    undo.pop();

    const again = await startServer({ rateLimits: true, ...kept });
    expect((await usageOf(again, owner, site)).text.bytes).toBe(1500);
    await UsageModel.updateOne({ _id: site._id }, { text: 77, writers: ['crashed'] });
    // As one that is stored in the very second of the next count: an id knows no less than seconds.
    const message = await MessageModel.findOne({ site: site._id }).lean();
    const soon = Types.ObjectId.createFromTime(Math.ceil(Date.now() / 1000) + 60);
    await MessageModel.create({ ...message, _id: soon, seq: 2, clientId: randomUUID() });
    await again.stop();

    const third = await startServer({ rateLimits: true, ...kept });
    undo.push(() => third.stop());
    await until(async () => (await usageOf(third, owner, site)).text.bytes === 3000);
    await newChat(third.api, site, owner.token, 'x'.repeat(1000));
    await until(async () => (await usageOf(third, owner, site)).text.bytes === 4500);
  });

  test('is visible to admins of the site only', async () => {
    const { server, owner, site } = await started({});
    const agent = await signUp(server.api);
    await join(site, agent, 'agent');
    expect((await server.api(`GET /sites/${site._id}/usage`, { token: agent.token })).status).toBe(403);
    expect((await server.api(`GET /sites/${site._id}/usage`, { token: owner.token })).status).toBe(200);
  });
});

describe('a site with full storage', () => {
  test('refuses new messages with a reason, answers retries, and accepts messages again after a deletion', async () => {
    const { server, owner, site } = await started({ siteTextBytes: 2500 });
    const [one, two] = [await visit(server.api, site), await visit(server.api, site)];
    const clientId = randomUUID();
    const first = await write(server, site, one, clientId);
    expect([first.status, (await write(server, site, two)).status]).toEqual([201, 201]);
    await until(async () => (await usageOf(server, owner, site)).text.bytes === 2000);

    const refused = await write(server, site, two);
    expect(refused).toMatchObject({ status: 413, body: { code: 'SITE_FULL' } });
    expect(refused.body.message).toBe('This chat cannot accept new messages right now. Please contact us another way.');
    expect((await write(server, site, one, clientId)).status).toBe(200);
    const chat = first.body.data.chat._id;
    const answer = { token: owner.token, body: { content: 'Hi' } };
    const staff = await server.api(`POST /chats/${chat}/messages`, answer);
    expect(staff).toMatchObject({ status: 413, body: { message: expect.stringContaining('no storage left') } });
    expect((await server.api(`POST /chats/${chat}/notes`, answer)).status).toBe(413);

    expect((await server.api(`POST /chats/${chat}/close`, { token: owner.token })).status).toBe(200);
    expect((await server.api(`DELETE /chats/${chat}`, { token: owner.token })).status).toBe(200);
    await until(async () => (await write(server, site, two)).status === 201);
  });

  test('refuses files by their own limit, and stores nothing of them', async () => {
    const { server, owner, site } = await started({ siteFileBytes: 1000 });
    const session = await visit(server.api, site);
    expect((await uploadAsVisitor(server, site, session, 'x'.repeat(900))).status).toBe(201);
    await until(async () => (await usageOf(server, owner, site)).files.bytes === 900);
    const refused = await uploadAsVisitor(server, site, session, 'x'.repeat(200));
    expect(refused).toMatchObject({ status: 413, body: { code: 'SITE_FULL' } });
    const chat = await say(server.api, site, session, 'Words still pass');
    expect((await uploadToChat(server, owner.token, chat, 'x'.repeat(200))).status).toBe(413);
    expect((await usageOf(server, owner, site)).files.bytes).toBe(900);
  });
});

describe('warnings', () => {
  test('reach admins at 80 percent: on the dashboard at once, and once by mail', async () => {
    const mailbox = await startMailbox();
    undo.push(() => mailbox.stop());
    const { server, owner, site } = await started({ siteTextBytes: 2500 }, mailingInto(mailbox));
    const agent = await signUp(server.api);
    await join(site, agent, 'agent');
    const dashboard = await connectStaff(server.url, owner.token);
    const session = await visit(server.api, site);
    await write(server, site, session);
    expect(await noticesOf(server, owner)).toEqual([]);
    await write(server, site, session);
    await until(async () => dashboard.heard('notices_changed').length > 0);
    const notice = { about: 'site', siteId: site._id, siteName: site.name, kind: 'text', percent: 80 };
    expect(await noticesOf(server, owner)).toEqual([notice]);
    expect(await noticesOf(server, agent)).toEqual([]);
    const mail = await until(async () => mailbox.mails.find(({ text }) => text?.includes('80 %')));
    expect(mail.subject).toBe('The storage of Corner Shop is 80 % full');
    expect(mailbox.mails.filter(({ subject }) => subject?.includes('storage'))).toHaveLength(1);
  });

  test('of the disk reach platform admins at 80, 90 and 95 percent, and nobody else', async ({ skip }) => {
    const disk = smallDisk(600);
    if (!disk) return skip('only root may mount a small disk');
    undo.push(disk.remove);
    const mailbox = await startMailbox();
    undo.push(() => mailbox.stop());
    const env = { dataDir: disk.folder, mongodbUri: null, ...mailingInto(mailbox) };
    const before = await startServer(env);
    const admin = await signUp(before.api);
    const other = await signUp(before.api);
    expect(await noticesOf(before, admin)).toEqual([]);
    await before.stop();

    disk.fill((free, total) => free - total * 0.085);
    const server = await startServer(env);
    undo.push(() => server.stop());
    const notices = await noticesOf(server, admin);
    expect(notices).toEqual([{ about: 'disk', percent: 91, freeBytes: expect.any(Number) }]);
    expect(await noticesOf(server, other)).toEqual([]);
    const mail = await until(async () => mailbox.mails.find(({ subject }) => subject?.includes('disk')));
    expect(mail.subject).toBe('The disk of your Parley is 91 % full');
    expect(mail.to).toMatchObject([{ address: admin.user.email }]);
    const figures = await server.api('GET /admin/overview', { token: admin.token });
    expect(figures.body.data.storage.disk.total).toBeGreaterThan(590 * 2 ** 20);
    const check = await server.api('GET /self-check', { token: admin.token });
    expect(check.body.data.storage).toEqual({ writable: true, percentFull: 91 });
  });
});
