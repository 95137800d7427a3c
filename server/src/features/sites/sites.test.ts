import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { VisitorModel } from '../visitors/model.ts';
import { SITE_SETTINGS_DEFAULTS, type Site } from './contract.ts';
import { eachSite, SiteModel } from './model.ts';

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
});
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const body = (more: object = {}) => ({ name: 'Corner Shop', domain: 'shop.example.com', ...more });

test('a new site is returned completely, with the default settings of the spec', async () => {
  const { token, user } = await signUp(server.api);
  const made = await server.api('POST /sites', {
    token,
    body: body({ domain: 'Shop.Example.COM', settings: { notifications: { email: true, browser: true } } }),
  });
  expect(made.status).toBe(201);
  expect(made.body.data.site).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Corner Shop',
    domain: 'shop.example.com',
    widgetEnabled: true,
    widgetCode: expect.stringMatching(/^[\w-]{16}$/),
    owner: user._id,
    role: 'admin',
    isOwner: true,
    stats: { totalChats: 0, activeChats: 0 },
    team: [{ userId: { _id: user._id, name: user.name, email: user.email }, role: 'admin' }],
    customization: {
      color: '#0088ff',
      position: 'right',
      navbarTitle: 'Chat with us',
      welcomeMessage: 'Hello! How can we help you today?',
      offlineMessage: "We are currently offline. Please leave a message and we'll get back to you.",
    },
    settings: SITE_SETTINGS_DEFAULTS,
    createdAt: expect.any(String),
  });
  const list = await server.api('GET /sites', { token });
  expect(list.body.data.limit).toBe(3);
  expect(list.body.data.sites).toEqual([made.body.data.site]);
});

test.each([
  ['localhost', 'localhost'],
  ['localhost:8080', 'localhost:8080'],
  ['192.168.0.10', '192.168.0.10'],
  ['[::1]:3000', '[::1]:3000'],
  ['intranet', 'intranet'],
  ['MÜLLER.de', 'xn--mller-kva.de'],
])('the domain %s is stored as %s', async (typed, kept) => {
  const { token } = await signUp(server.api);
  const made = await server.api('POST /sites', { token, body: body({ domain: typed }) });
  expect(made.body.data.site.domain).toBe(kept);
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 7 }, 'name'],
  [{ domain: '' }, 'domain'],
  [{ domain: 'https://shop.example.com' }, 'domain'],
  [{ domain: 'shop.example.com/path' }, 'domain'],
  [{ domain: 'two words.com' }, 'domain'],
  [{ domain: 'shop.example.com:99999' }, 'domain'],
  [{ customization: { color: 'red' } }, 'customization.color'],
  [{ customization: { position: 'top' } }, 'customization.position'],
  [{ customization: { navbarTitle: 'x'.repeat(501) } }, 'customization.navbarTitle'],
  [{ settings: { offlineMode: 'yes' } }, 'settings.offlineMode'],
  [{ settings: { notifications: 'yes' } }, 'settings.notifications'],
  [{ settings: { allowedDomains: ['https://a.com'] } }, 'settings.allowedDomains'],
  [{ settings: { preChat: 'maybe' } }, 'settings.preChat'],
  [{ settings: { retentionDays: -1 } }, 'settings.retentionDays'],
  [{ settings: { retentionDays: '30' } }, 'settings.retentionDays'],
  [{ settings: { autoCloseHours: 1e9 } }, 'settings.autoCloseHours'],
  [{ settings: { visitorPages: 1 } }, 'settings.visitorPages'],
  [{ settings: { identityVerification: null } }, 'settings.identityVerification'],
  [{ settings: { privacyUrl: 'javascript:alert(1)' } }, 'settings.privacyUrl'],
  [{ settings: { privacyUrl: ['https://a.com'] } }, 'settings.privacyUrl'],
  [{ settings: { launcher: { shape: 'star' } } }, 'settings.launcher.shape'],
  [{ settings: { launcher: { icon: 'url(x)' } } }, 'settings.launcher.icon'],
  [{ settings: { launcher: { text: 'x'.repeat(31) } } }, 'settings.launcher.text'],
  [{ settings: { launcher: { side: 201 } } }, 'settings.launcher.side'],
  [{ settings: { launcher: { bottom: '20' } } }, 'settings.launcher.bottom'],
  [{ settings: { launcher: { hideOnPhones: 1 } } }, 'settings.launcher.hideOnPhones'],
  [{ settings: { launcher: { hideOffline: null } } }, 'settings.launcher.hideOffline'],
  [{ settings: { launcher: { hideOn: [' \0'] } } }, 'settings.launcher.hideOn'],
  [{ settings: { launcher: { hideOn: Array(11).fill('/a') } } }, 'settings.launcher.hideOn'],
  [{ settings: { hours: 'nine to five' } }, 'settings.hours'],
  [{ settings: { hours: { timeZone: 'Mars/Olympus', days: [] } } }, 'settings.hours'],
  [{ settings: { hours: { timeZone: 'UTC', days: {} } } }, 'settings.hours'],
  [{ settings: { hours: { timeZone: 'UTC', days: [{ day: 7, from: '09:00', to: '17:00' }] } } }, 'settings.hours'],
  [{ settings: { hours: { timeZone: 'UTC', days: [{ day: 1, from: '9', to: '17:00' }] } } }, 'settings.hours'],
  [{ settings: { hours: { timeZone: 'UTC', days: [{ day: 1, from: '17:00', to: '09:00' }] } } }, 'settings.hours'],
])('a site with %j is refused', async (more, path) => {
  const { status, body: answer } = await server.api('POST /sites', { token: owner.token, body: body(more) });
  expect(status).toBe(422);
  expect(answer.errors.map((error: { path: string }) => error.path)).toContain(path);
  expect(answer.errors[0].msg).not.toBe('Invalid value');
});

test('a fourth site is refused, also with concurrent calls; deleting one makes room', async () => {
  const { token } = await signUp(server.api);
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => server.api('POST /sites', { token, body: body() })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('SITE_LIMIT_REACHED');
  const { sites } = (await server.api('GET /sites', { token })).body.data;
  expect(sites).toHaveLength(3);
  expect((await server.api(`DELETE /sites/${sites[1]._id}`, { token })).status).toBe(200);
  expect((await server.api('POST /sites', { token, body: body() })).status).toBe(201);
});

test('an edit changes the sent fields only', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const edit = { name: 'Shop', domain: 'shop.example.org', customization: { color: '#AA00FF' } };
  const put = await server.api(`PUT /sites/${site._id}`, { token, body: edit });
  expect(put.body.data.site).toMatchObject({ name: 'Shop', domain: 'shop.example.org' });
  expect(put.body.data.site.customization).toEqual({ ...site.customization, color: '#aa00ff' });
  const off = await server.api(`PATCH /sites/${site._id}`, { token, body: { widgetEnabled: false, owner: unknownId } });
  expect(off.body.data.site).toEqual({ ...put.body.data.site, widgetEnabled: false });
});

test('the advanced settings are stored as sent, and missing ones stay unchanged', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const monday = { day: 1, from: '09:00', to: '24:00' };
  const settings = {
    preChat: 'required',
    retentionDays: 30,
    visitorPages: true,
    identityVerification: true,
    autoCloseHours: 0,
    hours: { timeZone: 'Europe/Berlin', days: [monday] },
    privacyUrl: 'https://shop.example.com/privacy',
  };
  const sent = { settings: { ...settings, hours: { ...settings.hours, days: [{ ...monday, note: 'x' }] } } };
  const edit = await server.api(`PATCH /sites/${site._id}`, { token, body: sent });
  expect(edit.body.data.site.settings).toEqual({ ...SITE_SETTINGS_DEFAULTS, autoAssign: false, ...settings });
  const undo = await server.api(`PATCH /sites/${site._id}`, {
    token,
    body: { settings: { hours: null, privacyUrl: ' ' } },
  });
  expect(undo.body.data.site.settings).toMatchObject({ hours: null, privacyUrl: null, retentionDays: 30 });
});

test('of two admins who change the same field, the second is told, also when both save at once', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const patch = (body: object) => server.api(`PATCH /sites/${site._id}`, { token, body });
  const now = async () => (await server.api(`GET /sites/${site._id}`, { token })).body.data.site as Site;
  const base = {
    name: site.name,
    settings: { allowedDomains: [], launcher: { text: '' }, hours: null, privacyUrl: null },
  };
  const domains = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.example`);
  const answers = await Promise.all(domains.map((host) => patch({ settings: { allowedDomains: [host] }, base })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)?.body;
  expect([refused.code, refused.errors]).toEqual([
    'SETTINGS_CHANGED',
    [{ path: 'settings.allowedDomains', msg: 'Somebody else has changed this meanwhile.' }],
  ]);
  const { settings } = await now();
  expect(settings.allowedDomains).toEqual([domains[answers.findIndex(({ status }) => status === 200)]]);

  // Other fields are nobody's conflict, at once or later; nothing of a refused change is written.
  const both = await Promise.all([
    patch({ name: 'Corner', base }),
    patch({ settings: { launcher: { text: 'Ask' }, hours: { timeZone: 'UTC', days: [] } }, base }),
    patch({ settings: { privacyUrl: 'https://a.example/' }, base }),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await patch({ domain: 'x.example', settings: { launcher: { text: 'Hi' } }, base })).status).toBe(409);
  expect(await now()).toMatchObject({ name: 'Corner', domain: site.domain, settings: { launcher: { text: 'Ask' } } });

  // Whoever sends no base, or none of the field, overwrites; one as it is stored goes through.
  expect((await patch({ name: 'Shop', settings: { allowedDomains: [] }, base: {} })).status).toBe(200);
  expect((await patch({ name: 'Store' })).status).toBe(200);
  const { name, customization, settings: kept } = await now();
  const whole = { name: 'Last', customization, settings: kept };
  expect((await patch({ ...whole, base: { name, customization, settings: kept } })).body.data.site.name).toBe('Last');
});

test.each([[[]], ['x'], [{ settings: null }], [{ settings: { launcher: 7 }, customization: 'x' }]])(
  'a base of %j is refused, or is no base, and breaks nothing',
  async (base) => {
    const { token } = await signUp(server.api);
    const site = await createSite(server.api, token);
    const body = { name: 'Mine', settings: { launcher: { text: 'x' } }, base };
    const { status } = await server.api(`PATCH /sites/${site._id}`, { token, body });
    const { name } = (await server.api(`GET /sites/${site._id}`, { token })).body.data.site;
    expect([status, name]).toEqual(status === 200 ? [200, 'Mine'] : [status === 409 ? 409 : 422, site.name]);
  },
);

test("a stranger's site, an unknown one and a deleted one get the same answer", async () => {
  const stranger = await signUp(server.api);
  const site = await createSite(server.api, owner.token);
  const gone = await createSite(server.api, owner.token);
  await server.api(`DELETE /sites/${gone._id}`, { token: owner.token });
  for (const call of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const ask = (id: string, token: string) => server.api(`${call} /sites/${id}`, { token, body: body() });
    const unknown = await ask(unknownId, stranger.token);
    expect(unknown.status).toBe(404);
    expect((await ask(site._id, stranger.token)).body).toEqual(unknown.body);
    expect((await ask(gone._id, owner.token)).body).toEqual(unknown.body);
  }
  expect((await server.api('GET /sites/none', { token: owner.token })).body.code).toBe('INVALID_ID');
  expect((await server.api(`GET /sites/${site._id}`)).status).toBe(401);
});

test.each([
  ['viewer', 200, 403, 403],
  ['agent', 200, 403, 403],
  ['admin', 200, 200, 403],
] as const)('a %s reads (%i), edits (%i), deletes (%i)', async (role, read, edit, remove) => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const member = await signUp(server.api);
  await join(site, member, role);
  const as = (call: string) => server.api(`${call} /sites/${site._id}`, { token: member.token, body: body() });
  expect((await as('GET')).status).toBe(read);
  expect((await as('PATCH')).status).toBe(edit);
  expect((await as('DELETE')).status).toBe(remove);
  expect((await as('GET')).body.data.site).toMatchObject({ role, isOwner: false });
});

test('deleting a site leaves nothing of it', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const session = await visit(server.api, site);
  const chat = await newChat(server.api, site, token);
  await server.api(`DELETE /sites/${site._id}`, { token });
  expect((await server.api(`GET /chats/${chat._id}`, { token })).status).toBe(404);
  expect((await server.api(`GET /widget/${site.widgetCode}`)).status).toBe(404);
  const late = { token: session.visitorToken, body: { clientId: crypto.randomUUID(), content: 'Late' } };
  expect([401, 404]).toContain((await server.api(`POST /widget/${site.widgetCode}/messages`, late)).status);
  await until(async () => SiteModel.exists({ _id: site._id, purgedAt: { $exists: true } }));
  const left = await Promise.all([
    ChatModel.countDocuments({ site: site._id }),
    MessageModel.countDocuments({ site: site._id }),
    VisitorModel.countDocuments({ site: site._id }),
  ]);
  expect(left).toEqual([0, 0, 0]);
});

test('a task for each site continues after a failure at one, and reports it at the end', async () => {
  const { token } = await signUp(server.api);
  const sites = [await createSite(server.api, token), await createSite(server.api, token)];
  const seen: string[] = [];
  const visiting = eachSite(new AbortController().signal, async ({ _id }) => {
    seen.push(_id.toHexString());
    if (_id.equals(sites[0]?._id)) throw new Error('no');
  });
  await expect(visiting).rejects.toThrow('no');
  expect(seen).toEqual(expect.arrayContaining(sites.map(({ _id }) => _id)));
});
