import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import { CUSTOMIZATION_DEFAULTS } from '../sites/contract.ts';

const HOUR_MS = 3_600_000;
const MAIL_IN = { address: { local: 'chat', domain: 'mail.test' }, imap: null, listener: null, secret: 'x'.repeat(16) };
let server: TestServer;
let ana: Account;

beforeAll(async () => {
  server = await startServer({ mailIn: MAIL_IN });
  ana = await signUp(server.api);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const patch = (token: string, section: unknown, data: unknown) =>
  server.api('PATCH /settings', { token, body: { section, data } as object });
const settings = async (token: string) => (await server.api('GET /settings', { token })).body.data.settings;

test('a new account has the default settings of the spec', async () => {
  expect(await settings(ana.token)).toEqual({
    account: { name: ana.user.name, email: ana.user.email, avatar: null },
    widget: {
      title: 'Chat with us',
      buttonText: 'Need help?',
      position: 'bottom-right',
      primaryColor: '#3B82F6',
      logo: null,
    },
    notifications: { emailNotifications: true, browserNotifications: true, soundEnabled: true, answerByMail: false },
    security: { twoFactorEnabled: false, sessionTimeout: 24 },
    availability: { autoAwayMinutes: 0 },
    keyboard: { singleKeyShortcuts: true },
    language: { language: 'auto' },
    quickReplies: { bySite: {} },
  });
  expect((await server.api('GET /settings')).status).toBe(401);
  expect((await server.api('PATCH /settings', { body: {} })).status).toBe(401);
});

test.each([
  ['nowhere', { title: 'x' }, 'section'],
  [{ $ne: 'account' }, { title: 'x' }, 'section'],
  ['widget', null, 'data'],
  ['widget', [], 'data'],
  ['widget', { colour: '#ffffff' }, 'data.colour'],
  ['account', { role: 'parley_admin' }, 'data.role'],
  ['account', { passwordHash: 'x' }, 'data.passwordHash'],
  ['account', { avatar: 'data:image/png;base64,AAAA' }, 'data.avatar'],
  ['account', { name: ' ' }, 'data.name'],
  ['widget', { title: '' }, 'data.title'],
  ['widget', { buttonText: 'x'.repeat(41) }, 'data.buttonText'],
  ['widget', { position: 'right' }, 'data.position'],
  ['widget', { primaryColor: 'blue' }, 'data.primaryColor'],
  ['widget', { logo: 'data:image/png;base64,AAAA' }, 'data.logo'],
  ['notifications', { soundEnabled: 'yes' }, 'data.soundEnabled'],
  ['keyboard', { singleKeyShortcuts: 'off' }, 'data.singleKeyShortcuts'],
  ['language', { language: 'xx' }, 'data.language'],
  ['security', { sessionTimeout: 2 }, 'data.sessionTimeout'],
  ['security', { sessionTimeout: '24' }, 'data.sessionTimeout'],
  ['security', { twoFactorEnabled: 1 }, 'data.twoFactorEnabled'],
])('section %j with %j is refused, and nothing changes', async (section, data, path) => {
  const before = await settings(ana.token);
  const { status, body } = await patch(ana.token, section, data);
  expect(status).toBe(422);
  expect(body.errors[0].path).toBe(path);
  expect(body.errors[0].msg).not.toBe('Invalid value');
  expect(await settings(ana.token)).toEqual(before);
});

test('only the sent fields of a section change', async () => {
  const { token } = await signUp(server.api);
  const look = { title: 'Ask Ana', primaryColor: '#112233', logo: null };
  const widget = await patch(token, 'widget', look);
  expect(widget.body.data.settings.widget).toMatchObject({ ...look, buttonText: 'Need help?' });
  await patch(token, 'widget', { buttonText: 'Hello?' });
  await patch(token, 'notifications', { soundEnabled: false });
  expect(await settings(token)).toMatchObject({
    widget: { ...look, buttonText: 'Hello?', position: 'bottom-right' },
    notifications: { emailNotifications: true, browserNotifications: true, soundEnabled: false, answerByMail: false },
  });
});

test('the account section and the profile share one record, and a new email needs the password', async () => {
  const { token, password } = await signUp(server.api);
  expect((await patch(token, 'account', { name: 'Ana María', avatar: null })).status).toBe(200);
  const email = 'settings-moved@example.com';
  const refused = await patch(token, 'account', { email });
  expect(refused.body.errors).toMatchObject([{ msg: 'Current password is required', path: 'currentPassword' }]);
  expect((await patch(token, 'account', { email: ana.user.email, currentPassword: password })).status).toBe(409);
  const moved = await patch(token, 'account', { email, currentPassword: password });
  expect(moved.body.data.settings.account).toEqual({ name: 'Ana María', email, avatar: null });
  expect((await server.api('GET /auth/profile', { token })).body.data.user).toMatchObject({ name: 'Ana María', email });
});

test('single-key shortcuts are switched off for the user on every device, as the profile says', async () => {
  const { token, user, password } = await signUp(server.api);
  const profile = async (of: string) => (await server.api('GET /auth/profile', { token: of })).body.data.user;
  const other = await server.api('POST /auth/login', { body: { email: user.email, password } });
  expect(await profile(token)).not.toHaveProperty('singleKeyShortcuts');
  const off = await patch(token, 'keyboard', { singleKeyShortcuts: false });
  expect(off.body.data.settings.keyboard).toEqual({ singleKeyShortcuts: false });
  expect(await profile(other.body.data.token)).toMatchObject({ singleKeyShortcuts: false });
  await patch(token, 'keyboard', { singleKeyShortcuts: true });
  expect(await profile(token)).not.toHaveProperty('singleKeyShortcuts');
});

test('the language of the dashboard is in the profile, unless the browser chooses it', async () => {
  const { token } = await signUp(server.api);
  const profile = async () => (await server.api('GET /auth/profile', { token })).body.data.user;
  expect(await profile()).not.toHaveProperty('language');
  const chosen = await patch(token, 'language', { language: 'ar' });
  expect(chosen.body.data.settings.language).toEqual({ language: 'ar' });
  expect(await profile()).toMatchObject({ language: 'ar' });
  await patch(token, 'language', { language: 'auto' });
  expect(await profile()).not.toHaveProperty('language');
});

test('two-factor authentication cannot be switched on before its set-up, and then no other field changes', async () => {
  const { token } = await signUp(server.api);
  const refused = await patch(token, 'security', { twoFactorEnabled: true, sessionTimeout: 1 });
  expect(refused.status).toBe(409);
  expect(refused.body.code).toBe('TWO_FACTOR_SETUP_REQUIRED');
  expect((await patch(token, 'security', { twoFactorEnabled: false })).status).toBe(200);
  expect((await settings(token)).security).toEqual({ twoFactorEnabled: false, sessionTimeout: 24 });
});

test('a new session timeout applies at once to existing sessions', async () => {
  const { token, user, password } = await signUp(server.api);
  const login = await server.api('POST /auth/login', { body: { email: user.email, password } });
  expect((await patch(token, 'security', { sessionTimeout: 168 })).status).toBe(200);
  server.advance(30 * HOUR_MS);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
  expect((await patch(token, 'security', { sessionTimeout: 1 })).status).toBe(200);
  expect((await server.api('GET /auth/profile', { token: login.body.data.token })).status).toBe(401);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
});

test("a new site starts with the owner's widget settings, unless the form sets others", async () => {
  const { token } = await signUp(server.api);
  await patch(token, 'widget', { title: 'Ask Ana', position: 'bottom-left', primaryColor: '#AA00FF' });
  const untouched = await createSite(server.api, token);
  const chosen = { navbarTitle: 'Ask Ana', position: 'left', color: '#aa00ff' };
  expect(untouched.customization).toEqual({ ...CUSTOMIZATION_DEFAULTS, ...chosen });
  const form = {
    name: 'Shop',
    domain: 'shop.example.com',
    customization: { ...CUSTOMIZATION_DEFAULTS, color: '#00ff00' },
  };
  const { body } = await server.api('POST /sites', { token, body: form });
  expect(body.data.site.customization).toEqual({ ...CUSTOMIZATION_DEFAULTS, ...chosen, color: '#00ff00' });
});

test('the button text of the owner is shown in open widgets, too', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const session = await visit(server.api, site);
  const ear = await connectVisitor(server.url, session.visitorToken);
  await patch(token, 'widget', { buttonText: 'Ask us' });
  const [{ config }] = await until(async () => ear.heard('config_changed').length > 0 && ear.heard('config_changed'));
  expect(config).toMatchObject({ buttonText: 'Ask us', widgetCode: site.widgetCode });
  const fresh = await server.api(`GET /widget/${site.widgetCode}`);
  expect(fresh.body.data).toEqual(config);
});

test('every dashboard of the account hears of a change, and nobody else', async () => {
  const [{ token, user, password }, stranger] = await Promise.all([signUp(server.api), signUp(server.api)]);
  const phone = (await server.api('POST /auth/login', { body: { email: user.email, password } })).body.data.token;
  const [here, there, elsewhere] = await Promise.all(
    [token, phone, stranger.token].map((of) => connectStaff(server.url, of)),
  );
  await patch(phone, 'notifications', { soundEnabled: false });
  await patch(phone, 'account', { name: 'Ana Lopes' });
  await until(async () => here?.heard('account_updated').length === 2 && there?.heard('account_updated').length === 2);
  await patch(stranger.token, 'keyboard', { singleKeyShortcuts: false });
  await until(async () => elsewhere?.heard('account_updated').length === 1);
  expect(here?.heard('account_updated')).toHaveLength(2);
});

test('mails can be answered where they come in', async () => {
  const { token } = await signUp(server.api);
  const { body } = await patch(token, 'notifications', { answerByMail: true });
  expect([body.data.answerableMails, body.data.settings.notifications.answerByMail]).toEqual([true, true]);
  expect((await server.api('GET /settings', { token })).body.data.answerableMails).toBe(true);
});

test('quick replies of two devices are kept side by side, up to a number of sites', async () => {
  const { token } = await signUp(server.api);
  const [shop, blog, reply] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [string, string, string];
  await Promise.all([shop, blog].map((site) => patch(token, 'quickReplies', { bySite: { [site]: reply } })));
  expect((await settings(token)).quickReplies.bySite).toEqual({ [shop]: reply, [blog]: reply });
  const { body } = await patch(token, 'quickReplies', { bySite: { [shop]: null } });
  expect(body.data.settings.quickReplies.bySite).toEqual({ [blog]: reply });
  const many = Array.from({ length: 100 }, (_, i) => [i.toString(16).padStart(24, '0'), reply]);
  const full = await patch(token, 'quickReplies', { bySite: Object.fromEntries(many) });
  expect([full.status, full.body.errors[0].path]).toEqual([422, 'data.bySite']);
});
