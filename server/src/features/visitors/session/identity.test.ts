import jwt from 'jsonwebtoken';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import {
  ATTRIBUTES_MAX,
  type LiveVisitor,
  type Site,
  USER_ID_MAX_LENGTH,
  type VisitorSession,
} from '../../../../contract.ts';
import { VisitorModel } from '../model.ts';
import { removeSilentVisitors } from '../people/people.ts';

const HOUR_S = 3_600;
const DAY_MS = 86_400_000;
let server: TestServer;
let owner: Account;
let site: Site;
let secret: string;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
  secret = await secretOf(site);
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (call: string, body?: object) => server.api(call, { token: owner.token, body });
const secretOf = async ({ _id }: Site) => (await as(`GET /sites/${_id}/identity-secret`)).body.data.secret;
const soon = () => Math.floor(Date.now() / 1000) + HOUR_S;
const sign = (claims: object = {}, key = secret, algorithm: jwt.Algorithm = 'HS256') =>
  jwt.sign({ sub: 'mina', exp: soon(), ...claims }, key, { algorithm });
const open = (body: object) => server.api(`POST /widget/${site.widgetCode}/session`, { body, headers: BROWSER });
const prove = (token = sign(), more: object = {}) => visit(server.api, site, { identity: { token }, ...more });
const idOf = ({ visitor }: VisitorSession) => visitor._id;

/** What the team sees of a visitor in the thread of its chat. */
async function seenBy(session: VisitorSession) {
  const chatId = await say(server.api, site, session, 'Hello');
  const desk = await connectStaff(server.url, owner.token);
  return (await desk.ask('open_chat', { chatId })).visitor;
}

describe('an identity token', () => {
  test('verifies the visitor; its name and email take precedence over those of the page', async () => {
    const token = sign({ name: 'Mina Park', email: 'mina@example.com' });
    const session = await visit(server.api, site, { identity: { id: 'mina', name: 'Boss', token } });
    expect(session.visitor).toMatchObject({ name: 'Mina Park', email: 'mina@example.com' });
    expect(await seenBy(session)).toMatchObject({ userId: 'mina', verified: true });
    await server.api(`POST /widget/${site.widgetCode}/session`, {
      body: { visitorToken: session.visitorToken, visitor: { name: 'Boss' } },
    });
    expect((await visit(server.api, site, { visitorToken: session.visitorToken })).visitor.name).toBe('Mina Park');
  });

  const none = () =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${sign().split('.')[1]}.${sign().split('.')[2]}`;
  test.each<[string, () => string | Promise<string>, string]>([
    ['another secret', () => sign({}, 'another-secret'), 'IDENTITY_TOKEN_INVALID'],
    ['another algorithm', () => sign({}, secret, 'HS512'), 'IDENTITY_TOKEN_INVALID'],
    ['no algorithm', none, 'IDENTITY_TOKEN_INVALID'],
    [
      'no algorithm and no signature',
      () => jwt.sign({ sub: 'mina' }, '', { algorithm: 'none' }),
      'IDENTITY_TOKEN_INVALID',
    ],
    ['a text that is not a token', () => 'mina', 'IDENTITY_TOKEN_INVALID'],
    ['a text instead of claims', () => jwt.sign('mina', secret), 'IDENTITY_TOKEN_INVALID'],
    ['an expiry in the past', () => sign({ exp: soon() - 2 * HOUR_S }), 'IDENTITY_TOKEN_EXPIRED'],
    ['no end', () => jwt.sign({ sub: 'mina' }, secret), 'IDENTITY_TOKEN_TOO_LONG'],
    ['an expiry more than a day ahead', () => sign({ exp: soon() + 24 * HOUR_S }), 'IDENTITY_TOKEN_TOO_LONG'],
    ['no sub', () => jwt.sign({ exp: soon() }, secret), 'VALIDATION_FAILED'],
    ['an empty sub', () => sign({ sub: ' ' }), 'VALIDATION_FAILED'],
    ['a too long sub', () => sign({ sub: 'x'.repeat(USER_ID_MAX_LENGTH + 1) }), 'VALIDATION_FAILED'],
    [
      'a foreign site’s secret',
      async () => sign({}, await secretOf(await createSite(server.api, owner.token))),
      'IDENTITY_TOKEN_INVALID',
    ],
  ])('with %s is refused', async (_, tokenOf, code) => {
    const answer = await open({ identity: { token: await tokenOf() } });
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(answer.body.errors).toHaveLength(1);
    expect(await VisitorModel.countDocuments({ site: site._id })).toBe(0);
  });

  test('must match the id sent with it', async () => {
    expect((await open({ identity: { id: 'tom', token: sign() } })).body.code).toBe('IDENTITY_MISMATCH');
  });

  test('is required when the site verifies identities; names typed by visitors still work without', async () => {
    await as(`PATCH /sites/${site._id}`, { settings: { identityVerification: true } });
    for (const identity of [{ id: 'mina' }, { name: 'Mina Park' }])
      expect((await open({ identity })).body.code).toBe('IDENTITY_TOKEN_REQUIRED');
    expect((await open({ identity: { token: sign({}, 'another-secret') } })).status).toBe(422);
    expect((await open({ visitor: { name: 'Mina' } })).status).toBe(200);
    expect((await open({ identity: { token: sign() } })).status).toBe(200);
  });

  test('is invalid after the secret was replaced, and on a site without a secret', async () => {
    await as(`POST /sites/${site._id}/identity-secret`);
    expect((await open({ identity: { token: sign() } })).body.code).toBe('IDENTITY_TOKEN_INVALID');
    site = await createSite(server.api, owner.token);
    expect((await open({ identity: { token: sign({}, 'undefined') } })).body.code).toBe('IDENTITY_TOKEN_INVALID');
  });
});

describe('conversations', () => {
  test('of a verified person are shared by all devices', async () => {
    const laptop = await prove();
    await say(server.api, site, laptop, 'From the laptop');
    const phone = await prove();
    expect(phone.visitorToken).not.toBe(laptop.visitorToken);
    expect(phone.messages.map(({ content }) => content)).toEqual(['From the laptop']);
    for (const { visitorToken } of [laptop, phone])
      expect(idOf(await visit(server.api, site, { visitorToken }))).toBe(idOf(laptop));
    const again = await prove(sign(), { visitorToken: phone.visitorToken });
    expect(again.visitorToken).toBe(phone.visitorToken);
  });

  test('of two devices that identify at once belong to one person', async () => {
    const sessions = await Promise.all(Array.from({ length: 6 }, () => prove()));
    expect(new Set(sessions.map(idOf)).size).toBe(1);
    expect(new Set(sessions.map(({ visitorToken }) => visitorToken)).size).toBe(6);
  });

  test('of a verified person and of others are never merged', async () => {
    const anonymous = await visit(server.api, site);
    await say(server.api, site, anonymous, 'Before signing in');
    const claimed = await visit(server.api, site, { identity: { id: 'mina' } });
    const proved = await prove(sign(), { visitorToken: anonymous.visitorToken });
    expect(proved.messages).toEqual([]);
    expect(new Set([anonymous, claimed, proved].map(idOf)).size).toBe(3);
    const upgraded = await prove(sign(), { visitorToken: claimed.visitorToken });
    expect(idOf(upgraded)).toBe(idOf(proved));
    const tom = await prove(sign({ sub: 'tom' }), { visitorToken: proved.visitorToken });
    expect(idOf(tom)).not.toBe(idOf(proved));
    // Who only claims to be the proved one is nobody's.
    const other = await visit(server.api, site, { identity: { id: 'mina' } });
    expect(await seenBy(other)).toMatchObject({ userId: 'mina', verified: false });
  });

  test('of unverified ids stay on their device', async () => {
    const mina = await visit(server.api, site, { identity: { id: 'mina' } });
    const { visitorToken } = mina;
    expect(idOf(await visit(server.api, site, { visitorToken, identity: { id: 'mina', name: 'Mina' } }))).toBe(
      idOf(mina),
    );
    const tom = await visit(server.api, site, { visitorToken, identity: { id: 'tom' } });
    expect(idOf(tom)).not.toBe(idOf(mina));
    expect(tom.visitor.name).toBeNull();
  });

  test('of one id on two sites are separate', async () => {
    const here = await prove();
    site = await createSite(server.api, owner.token);
    secret = await secretOf(site);
    expect(idOf(await prove(sign(), { visitorToken: here.visitorToken }))).not.toBe(idOf(here));
  });

  test('of an erased person start again empty', async () => {
    const mina = await prove();
    await say(server.api, site, mina, 'Forget me');
    await as(`DELETE /visitors/${idOf(mina)}`);
    const again = await prove();
    expect(idOf(again)).not.toBe(idOf(mina));
    expect(again.messages).toEqual([]);
  });
});

describe('attributes', () => {
  test('are updated one by one, removed with null, and visible to the team', async () => {
    const session = await visit(server.api, site, { attributes: { plan: 'pro', seats: 3, trial: true } });
    const { visitorToken } = session;
    await visit(server.api, site, { visitorToken, attributes: { plan: 'team', trial: null } });
    const attributes = [
      { name: 'seats', value: 3 },
      { name: 'plan', value: 'team' },
    ];
    expect(await seenBy(session)).toMatchObject({ attributes });
    const kept = await as(`GET /visitors/${idOf(session)}/export`);
    expect(kept.body.visitor).toMatchObject({ attributes, verified: false, userId: null });
    const many = Object.fromEntries(Array.from({ length: ATTRIBUTES_MAX - 1 }, (_, i) => [`n${i}`, i]));
    await visit(server.api, site, { visitorToken, attributes: many });
    const names = (await seenBy(session)).attributes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['plan', ...Object.keys(many)]);
  });

  test.each([
    [['plan']],
    ['plan'],
    [{ plan: { name: 'pro' } }],
    [{ plan: ['pro'] }],
    [{ '': 'pro' }],
    [{ ['x'.repeat(41)]: 'pro' }],
    [{ plan: 'x'.repeat(201) }],
    [{ plan: 'pro\0' }],
    [Object.fromEntries(Array.from({ length: ATTRIBUTES_MAX + 1 }, (_, i) => [`n${i}`, i]))],
  ])('%j are refused', async (attributes) => {
    expect((await open({ attributes })).status).toBe(422);
  });
});

test('when the site has enabled it, the team sees at once who a visitor is, and on which page', async () => {
  await as(`PATCH /sites/${site._id}`, { settings: { visitorPages: true } });
  expect((await server.api(`GET /widget/${site.widgetCode}`)).body.data.visitorPages).toBe(true);
  const session = await prove();
  const ear = await connectVisitor(server.url, session.visitorToken);
  const desk = await connectStaff(server.url, owner.token);
  const page = { url: 'https://shop.example.com/b', title: 'B' };
  await ear.ask('page', page);
  const heard = await until(async () => desk.heard('visitor_updated')[0]);
  const known = { name: null, email: null, userId: 'mina', verified: true, attributes: [], page };
  const pages = [{ ...page, at: expect.any(String) }];
  expect(heard).toEqual({ ...known, pages, visitorId: idOf(session), siteId: site._id });
  const { visitors } = (await as(`GET /sites/${site._id}/visitors`)).body.data as { visitors: LiveVisitor[] };
  expect(visitors).toMatchObject([{ ...known, _id: idOf(session) }]);
});

test('visitors who never wrote are deleted after a while, those who wrote are not', async () => {
  const [silent, wrote] = [await visit(server.api, site), await visit(server.api, site)];
  await say(server.api, site, wrote, 'Hello');
  const left = async () => (await VisitorModel.find({ site: site._id }).lean()).map(({ _id }) => _id.toHexString());
  const { signal } = new AbortController();
  await removeSilentVisitors(Date.now() + 6 * DAY_MS, signal);
  expect(await left()).toEqual([silent, wrote].map(idOf));
  await removeSilentVisitors(Date.now() + 8 * DAY_MS, signal);
  expect(await left()).toEqual([idOf(wrote)]);
  const plans = await Promise.all([
    VisitorModel.find({ silent: true, lastSeenAt: { $lt: new Date() } }).explain('queryPlanner'),
    VisitorModel.find({ site: site._id, userId: 'mina', verified: true }).explain('queryPlanner'),
  ]);
  for (const plan of plans) expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
});
