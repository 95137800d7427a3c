import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { openHelpCenter, publish } from '#test/helpCenter';
import { connectVisitor, hangUp } from '#test/sockets';
import {
  FLOW_TOTAL_MAX,
  type FlowButton,
  type FlowTarget,
  type Site,
  type WidgetButtons,
} from '../../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
});
beforeEach(async () => {
  site = await createSite(server.api, owner.token);
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const ask = (call: string, body?: object) => server.api(call, { token: owner.token, ...(body && { body }) });
const save = (settings: object, more = {}) => ask(`PATCH /sites/${site._id}`, { settings, ...more });
const config = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data;
const shown = async (query = '?l=en'): Promise<WidgetButtons> =>
  (await server.api(`GET /widget/${site.widgetCode}/buttons${query}`)).body.data;

let made = 0;
const CHAT = { kind: 'chat' } as const;
const button = (label: string, target: FlowTarget = CHAT): FlowButton => ({
  id: `aaaa${String(++made).padStart(4, '0')}`,
  label,
  target,
});
const question = (text: string, ...buttons: FlowButton[]): FlowTarget => ({
  kind: 'question',
  question: text,
  buttons,
});
const LINK = { kind: 'link', url: 'tel:+49 30 1234' } as const;

test('a config says only that there are buttons, another number after each change, and nothing without them', async () => {
  expect(await config()).not.toHaveProperty('buttons');
  expect(await shown()).toEqual({ buttons: [], main: {} });
  const vera = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  const orders = button('Orders', question('Which one?', button('The last one', LINK), button('Another one')));
  const saved = await save({ buttons: [{ ...orders, label: ' Orders\n', more: true }] });
  expect(saved.body.data.site.settings.buttons).toEqual([orders]);
  const { buttons: first } = await config();
  expect(await shown()).toEqual({ buttons: [orders], main: {} });
  await save({ buttons: [button('Opening hours')] }, { base: { settings: { buttons: [orders] } } });
  await until(async () => vera.heard('config_changed').at(-1)?.config.buttons > first);
  expect((await save({ buttons: [] }, { base: { settings: { buttons: [orders] } } })).status).toBe(409);
});

const six = (target: (n: number) => FlowTarget = () => CHAT) =>
  Array.from({ length: 6 }, (_, n) => button(`Number ${n}`, target(n)));
const levels = (count: number): FlowButton[] => [
  button('Next', count > 1 ? question('And then?', ...levels(count - 1)) : CHAT),
];
const leadsTo = (target: object) => [{ ...button('Go'), target }];

test('buttons are bounded in number, depth and length, and lead to safe addresses', async () => {
  const wrong: [unknown, string][] = [
    ['x', 'up to 6 buttons'],
    [null, 'up to 6 buttons'],
    [[null], 'an id of its own'],
    [[...six(), button('One more')], 'too long'],
    [six(() => question('Which?', ...six(() => question('And?', ...six())))), `up to ${FLOW_TOTAL_MAX} buttons in all`],
    [levels(4), 'up to 3 levels'],
    [[{ ...button('A'), id: '__proto__' }], 'an id of its own'],
    [[button('Same'), button('Same')], 'the same text'],
    [[{ ...button('A'), id: 'aaaa0000' }, button('B', question('C?', { ...button('D'), id: 'aaaa0000' }))], 'its own'],
    [[button(' ')], 'up to 60 characters'],
    [[button('x'.repeat(61))], 'up to 60 characters'],
    [[button('A', question('x'.repeat(201), button('B')))], 'up to 200 characters'],
    [[button('A', question('Which?'))], 'at least one button'],
    [leadsTo({ kind: 'page' }), 'must be one of'],
    [leadsTo({ kind: 'article', article: 'opening-hours' }), 'Choose the article'],
    [leadsTo({ kind: 'department', department: { $ne: 1 } }), 'Choose the department'],
    ...[
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      '/local',
      'https://',
      `https://${'x'.repeat(500)}.example`,
    ].map((url): [unknown, string] => [leadsTo({ kind: 'link', url }), 'must be an address']),
  ];
  for (const [buttons, why] of wrong) {
    const { status, body } = await save({ buttons });
    expect([status, body.errors?.[0]?.path], JSON.stringify(buttons)).toEqual([422, 'settings.buttons']);
    expect(body.errors[0].msg).toContain(why);
  }
  expect((await save({ buttons: levels(3) })).status).toBe(200);
});

test('buttons speak the visitor’s language, say what they are called in the main one, and lose their texts with themselves', async () => {
  const [last, other] = [button('The last one'), button('Another one')];
  const orders = button('Orders', question('Which one?', last, other));
  const de = {
    [orders.id]: { label: ' Bestellungen ', question: 'Welche?' },
    [last.id]: { label: 'Another one' },
    [other.id]: { label: 'Eine andere' },
  };
  await save({
    buttons: [orders],
    mainLanguage: 'en',
    translations: { de: { buttons: { ...de, ffff0001: { label: 'Weg' } } } },
  });
  const german = await shown('?l=de-AT');
  expect(german.buttons[0]).toMatchObject({ label: 'Bestellungen', target: { question: 'Welche?' } });
  // A label that reads like another one of its level stays.
  expect(JSON.stringify(german.buttons)).toContain('"The last one"');
  expect(german.main).toEqual({ [orders.id]: 'Orders', [other.id]: 'Another one' });
  expect((await shown('?l=fr')).main).toEqual({});
  const texts = async () => (await ask(`GET /sites/${site._id}`)).body.data.site.settings.translations.de.buttons;
  expect(await texts()).toEqual({ ...de, [orders.id]: { label: 'Bestellungen', question: 'Welche?' } });
  await save({ buttons: [button('Orders', question('Which one?', other))] });
  expect(await texts()).toEqual({ [other.id]: { label: 'Eine andere' } });
  const long = await save({ translations: { de: { buttons: { [other.id]: { label: 'x'.repeat(61) } } } } });
  expect([long.status, long.body.errors[0].path]).toEqual([422, 'settings.translations.de']);
});

test('buttons to what visitors cannot read or choose lead them to the team, and stay as they are in the settings', async () => {
  const path = `/sites/${site._id}/departments`;
  await ask(`POST ${path}`, { name: 'Sales' });
  const [sales, hidden] = (await ask(`POST ${path}`, { name: 'Inside' })).body.data.departments;
  await ask(`PATCH ${path}/${hidden._id}`, { visible: false, rev: 1 });
  await openHelpCenter(site);
  const article = await publish(site, { en: { title: 'Opening hours', text: 'Always.' } });
  const to = (kind: 'article' | 'department', id: string) => ({ kind, [kind]: id }) as FlowTarget;
  const buttons = [
    button('Hours', to('article', article)),
    button('Gone', to('article', 'b'.repeat(24))),
    button(
      'Team',
      question('Which?', button('Sales', to('department', sales._id)), button('In', to('department', hidden._id))),
    ),
  ];
  const saved = await save({ buttons });
  expect(saved.body.data.site.settings.buttons).toEqual(buttons);
  const kinds = async () => {
    const [hours, gone, team] = (await shown()).buttons.map(({ target }) => target);
    const below = team?.kind === 'question' ? team.buttons.map(({ target }) => target.kind) : [];
    return [hours?.kind, gone?.kind, ...below];
  };
  expect(await kinds()).toEqual(['article', 'chat', 'department', 'chat']);
  const { buttons: before } = await config();
  await ask(`DELETE ${path}/${sales._id}`);
  await openHelpCenter(site, { enabled: false });
  expect(await kinds()).toEqual(['chat', 'chat', 'chat', 'chat']);
  expect((await config()).buttons).toBeGreaterThan(before);
});

test('a department that is chosen after the chat began is taken where it has none, whoever has the chat by then', async () => {
  const path = `/sites/${site._id}/departments`;
  await ask(`POST ${path}`, { name: 'Orders' });
  const [orders, invoices] = (await ask(`POST ${path}`, { name: 'Invoices' })).body.data.departments;
  const { visitorToken } = await visit(server.api, site);
  const write = async (content: string, department?: string) => {
    const body = { clientId: randomUUID(), content, ...(department && { department }) };
    return (await server.api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body })).body.data.chat
      ._id;
  };
  const chat = await write('Something about an order');
  await until(async () => (await ask(`GET /chats/${chat}`)).body.data.chat.lastSeq > 0);
  const [claimed] = await Promise.all([ask(`POST /chats/${chat}/claim`, {}), write('Orders', orders._id)]);
  expect(claimed.status).toBe(200);
  await write('Invoices', invoices._id);
  await write('Nowhere', 'b'.repeat(24));
  const seen = (await ask(`GET /chats/${chat}`)).body.data.chat;
  expect(seen).toMatchObject({ department: { name: 'Orders' }, claimedBy: { _id: owner.user._id } });
});
