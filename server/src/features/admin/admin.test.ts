import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { AuditEntry, PlatformFigures, Site } from '../../../contract.ts';
import { AuditModel } from '../audit/auditLog.ts';
import { SiteModel } from '../sites/model.ts';

let server: TestServer;
let admin: Account;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  admin = await signUp(server.api, 'Petra Platform');
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const ask = (call: string) => server.api(call, { token: admin.token });
const figures = async (query = ''): Promise<PlatformFigures> => (await ask(`GET /admin/overview${query}`)).body.data;

test('the figures cover the whole server', async () => {
  const before = await figures();
  const chat = await newChat(server.api, site, owner.token, 'A secret question');
  const other = await signUp(server.api);
  await newChat(server.api, await createSite(server.api, other.token), other.token);
  await connectStaff(server.url, owner.token);
  await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  await until(async () => (await figures()).perDay.at(-1)?.chats === 2);
  const after = await figures();
  expect(after).toMatchObject({
    accounts: 3,
    sites: 2,
    messages: before.messages + 2,
    sockets: { dashboards: 1, widgets: 1 },
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    startedAt: before.startedAt,
    storage: { engine: process.env.TEST_MONGODB_URI || process.env.MONGOMS_SYSTEM_BINARY ? 'mongodb' : 'embedded' },
  });
  expect(after.storage.bytes).toBeGreaterThan(0);
  expect(after.perDay).toHaveLength(14);
  expect(JSON.stringify(after)).not.toMatch(new RegExp(`secret|Vera|${chat._id}`));
  expect((await figures('?tz=Asia/Tokyo')).perDay).toHaveLength(14);
  expect((await ask('GET /admin/overview?tz=Nowhere/Here')).status).toBe(422);
});

test('chats of a deleted site stay in the daily figures, the site is no longer counted', async () => {
  const before = await figures();
  const other = await createSite(server.api, owner.token);
  await newChat(server.api, other, owner.token);
  await server.api(`DELETE /sites/${other._id}`, { token: owner.token });
  await until(async () => SiteModel.exists({ _id: other._id, purgedAt: { $exists: true } }));
  const after = await figures();
  expect([after.sites, after.perDay.at(-1)?.chats]).toEqual([before.sites, (before.perDay.at(-1)?.chats ?? 0) + 1]);
});

test('a platform admin cannot read conversations of other teams', async () => {
  const chat = await newChat(server.api, site, owner.token, 'A secret question');
  const doors = [
    `GET /chats/${chat._id}`,
    `GET /chats/${chat._id}/messages`,
    `GET /chats/${chat._id}/notes`,
    `GET /chats/site/${site._id}`,
    `GET /sites/${site._id}`,
    `GET /visitors/${chat.visitorId}/chats`,
    `GET /visitors/${chat.visitorId}/export`,
    `POST /chats/${chat._id}/claim`,
  ];
  for (const door of doors) expect([door, (await ask(door)).status]).toEqual([door, 404]);
  const searched = await ask('GET /search?q=secret');
  expect(searched.body.data).toMatchObject({ chats: [], messages: [] });
  const ear = await connectStaff(server.url, admin.token);
  expect((await ear.ask('open_chat', { chatId: chat._id })).code).toBe('CHAT_NOT_FOUND');
  await newChat(server.api, site, owner.token, 'Another secret');
  expect(await ear.ask('sync', { chats: [] })).toMatchObject({ ok: true, changed: [] });
  expect(ear.heard('new_message')).toEqual([]);
  const answers = [await ask('GET /admin/users'), await ask('GET /admin/audit'), await ask('GET /admin/overview')];
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/secret|Vera/);
});

test('the audit log is read newest first, with the names of people and sites', async () => {
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { name: 'Renamed' } });
  const read = async (query: string) => (await ask(`GET /admin/audit?${query}`)).body.data;
  const first = await read('limit=1');
  expect(first.entries).toEqual([
    {
      _id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      action: 'site_changed',
      actor: { _id: owner.user._id, name: 'Olga Owner' },
      site: { _id: site._id, name: 'Renamed' },
      subject: null,
      detail: { fields: ['name'] },
    },
  ]);
  const all: AuditEntry[] = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await read(`limit=3${cursor && `&cursor=${cursor}`}`);
    all.push(...page.entries);
    cursor = page.nextCursor;
  }
  expect(all).toHaveLength(await AuditModel.countDocuments({}));
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  expect((await ask('GET /admin/audit?cursor=x')).status).toBe(400);
});
