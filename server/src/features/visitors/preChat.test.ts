import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import type { Site } from '../../../contract.ts';
import { VisitorModel } from './model.ts';

const FIELDS = [
  { kind: 'phone', label: '', required: true },
  { kind: 'text', label: 'Order number', required: true },
  { kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns'] },
  { kind: 'checkbox', label: 'Newsletter', required: false },
];
const CONSENT = { text: 'I agree to the storage of my data', url: 'https://shop.example.com/privacy' };
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  await save({ preChat: 'required', preChatFields: FIELDS, consent: CONSENT });
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const save = (settings: object) => server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings } });
const answer = async (visitor: object, more = {}) => visit(server.api, site, { visitor, ...more });
const detailsOf = async (_id: string) =>
  (await server.api(`GET /visitors/${_id}/export`, { token: owner.token })).body.visitor;

test('the form is in the config of sites that have one, and adds nothing to the config of others', async () => {
  const plain = await createSite(server.api, owner.token);
  const config = async ({ widgetCode }: Site) => (await server.api(`GET /widget/${widgetCode}`)).body.data;
  expect(await config(site)).toMatchObject({ preChatFields: FIELDS, consent: CONSENT });
  expect(Object.keys(await config(plain))).not.toEqual(expect.arrayContaining(['preChatFields']));
  expect(Object.keys(await config(plain))).not.toEqual(expect.arrayContaining(['consent']));
});

test.each([
  ['nine fields', { preChatFields: Array.from({ length: 9 }, (_, i) => ({ kind: 'text', label: `${i}` })) }],
  ['a field without a name', { preChatFields: [{ kind: 'text', label: ' ' }] }],
  [
    'two fields of one name',
    {
      preChatFields: [
        { kind: 'text', label: 'A' },
        { kind: 'checkbox', label: 'a' },
      ],
    },
  ],
  [
    'two phone numbers',
    {
      preChatFields: [
        { kind: 'phone', label: 'A' },
        { kind: 'phone', label: 'B' },
      ],
    },
  ],
  ['an unknown kind', { preChatFields: [{ kind: 'file', label: 'A' }] }],
  ['a choice of one', { preChatFields: [{ kind: 'choice', label: 'A', options: ['B', 'B '] }] }],
  ['no list', { preChatFields: { length: 1 } }],
  ['a long name', { preChatFields: [{ kind: 'text', label: 'x'.repeat(41) }] }],
  ['a consent with an insecure link', { consent: { text: 'Yes', url: 'http://shop.example.com' } }],
  ['a consent with a script', { consent: { text: 'Yes', url: 'javascript:alert(1)' } }],
  ['a consent without words', { consent: { text: ' ', url: null } }],
])('%s is refused', async (_what, settings) => {
  const { status, body } = await save(settings);
  expect([status, body.errors[0].path]).toEqual([422, `settings.${Object.keys(settings)[0]}`]);
});

test('answers are stored with the visitor as far as the form asks for them', async () => {
  const { visitor } = await answer({
    phone: '+49 (30) 12-34',
    answers: { 'Order number': 'A-17', Topic: 'Weather', Newsletter: true, Role: 'admin' },
    consent: true,
  });
  expect(visitor.known).toEqual(['phone', 'Order number', 'Newsletter']);
  expect(await detailsOf(visitor._id)).toMatchObject({
    phone: '+49 (30) 12-34',
    attributes: [
      { name: 'Order number', value: 'A-17', asked: true },
      { name: 'Newsletter', value: true, asked: true },
    ],
    consent: { text: CONSENT.text, at: expect.stringMatching(/^20/) },
  });
});

test('what the website has set is known, and no answer replaces it', async () => {
  const { visitor } = await answer(
    { answers: { 'Order number': 'typed' } },
    { identity: { phone: '030 1234' }, attributes: { 'Order number': 'B-2' } },
  );
  expect(visitor.known).toEqual(['phone', 'Order number']);
  const { phone, attributes } = await detailsOf(visitor._id);
  expect({ phone, attributes }).toEqual({ phone: '030 1234', attributes: [{ name: 'Order number', value: 'B-2' }] });
});

test.each([
  ['phone', { phone: 'call me' }],
  ['answers', { answers: { Topic: 'x'.repeat(201) } }],
  ['consent', { consent: 'yes' }],
])('a %s of another form is refused', async (field, visitor) => {
  const { status, body } = await server.api(`POST /widget/${site.widgetCode}/session`, { body: { visitor } });
  expect([status, body.errors[0].path]).toEqual([422, `visitor.${field}`]);
});

test('the offline form stores answers, which the team hears of, exports carry and an erasure removes', async () => {
  const session = await visit(server.api, site);
  const chat = await say(server.api, site, session, 'Hello');
  const desk = await connectStaff(server.url, owner.token);
  const sent = await server.api(`POST /widget/${site.widgetCode}/offline`, {
    token: session.visitorToken,
    body: {
      clientId: randomUUID(),
      content: 'Where is it?',
      name: 'Vera',
      email: 'vera@example.com',
      phone: '030 1234',
      answers: { Topic: 'Returns' },
      consent: true,
    },
  });
  expect(sent.status).toBe(201);
  const [heard] = await until(async () => desk.heard('visitor_updated').length > 0 && desk.heard('visitor_updated'));
  expect(heard).toMatchObject({ phone: '030 1234', attributes: [{ name: 'Topic', value: 'Returns', asked: true }] });

  const file = await fetch(`${server.url}/api/chats/${chat}/export`, {
    headers: { Authorization: `Bearer ${owner.token}` },
  });
  expect(await file.text()).toContain(`Phone:      030 1234\nTopic:      Returns\nAgreed to:  ${CONSENT.text}\n`);

  await server.api(`DELETE /widget/${site.widgetCode}/me`, { token: session.visitorToken });
  const left = JSON.stringify(await VisitorModel.findById(session.visitor._id).lean());
  for (const said of ['030 1234', 'Returns', CONSENT.text, 'Vera']) expect(left).not.toContain(said);
});
