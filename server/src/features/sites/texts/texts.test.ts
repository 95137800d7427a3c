import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { dial, hangUp } from '#test/sockets';
import type { Department, Site, SiteSettings, SiteTexts } from '../../../../contract.ts';

const GREETING = { id: 'aaaa0001', enabled: true, page: '', after: 0, visits: 'all' } as const;
const FORM = [
  { id: 'bbbb0001', kind: 'email', label: '', required: true },
  { id: 'bbbb0002', kind: 'text', label: 'Order number', required: false },
  { id: 'bbbb0003', kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns', 'Other'] },
] as const;
const GERMAN: SiteTexts = {
  navbarTitle: 'Schreiben Sie uns',
  launcherText: 'Fragen?',
  consent: 'Ich stimme zu',
  greetings: { aaaa0001: 'Guten Tag' },
  fields: {
    bbbb0002: { label: 'Bestellnummer' },
    bbbb0003: {
      label: 'Thema',
      options: [
        { option: 'Delivery', text: 'Lieferung' },
        { option: 'Returns', text: 'Rückgabe' },
      ],
    },
  },
};
const FRENCH: SiteTexts = {
  navbarTitle: 'Écrivez-nous',
  fields: { bbbb0003: { label: 'Sujet', options: [{ option: 'Returns', text: 'Retours' }] } },
};

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
beforeEach(async () => {
  await save({
    preChat: 'required',
    preChatFields: FORM,
    consent: { text: 'I agree', url: null },
    greetings: [{ ...GREETING, text: 'Good day', whileOnline: false, oncePerVisitor: true }],
    mainLanguage: 'en',
    translations: { de: GERMAN, fr: FRENCH, es: null },
  });
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const save = async (settings: object, more = {}) =>
  server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings, ...more } });
const stored = async (): Promise<SiteSettings> =>
  (await server.api(`GET /sites/${site._id}`, { token: owner.token })).body.data.site.settings;
const config = async (query: string, headers = {}) =>
  (await server.api(`GET /widget/${site.widgetCode}${query}`, { headers })).body.data;
const detailsOf = async (_id: string) =>
  (await server.api(`GET /visitors/${_id}/export`, { token: owner.token })).body.visitor;
const wordsOf = ({
  customization,
  buttonText,
  consent,
  greetings,
  preChatFields,
}: Awaited<ReturnType<typeof config>>) => [
  customization.navbarTitle,
  buttonText,
  consent.text,
  greetings[0].text,
  ...preChatFields.map(({ label }: { label: string }) => label),
  ...preChatFields[2].options,
];
const MAIN = [
  'Chat with us',
  'Need help?',
  'I agree',
  'Good day',
  '',
  'Order number',
  'Topic',
  'Delivery',
  'Returns',
  'Other',
];
const IN_GERMAN = [
  'Schreiben Sie uns',
  'Fragen?',
  'Ich stimme zu',
  'Guten Tag',
  ...['', 'Bestellnummer', 'Thema', 'Lieferung', 'Rückgabe', 'Other'],
];

test.each([
  ['the page speaks it', '?l=de', {}, IN_GERMAN],
  ['the page speaks it as in a country', '?l=de-AT', {}, IN_GERMAN],
  ['the browser speaks it, and the page says nothing', '?l=', { 'accept-language': 'nl, de;q=0.8' }, IN_GERMAN],
  ['the browser speaks it, and the widget not the page’s', '?l=nl', { 'accept-language': 'de' }, IN_GERMAN],
  ['it is the main one', '?l=en', { 'accept-language': 'de' }, MAIN],
  ['nobody has translated it', '?l=tr', {}, MAIN],
  ['it was removed', '?l=es', {}, MAIN],
  ['the call does not say', '', { 'accept-language': 'de' }, MAIN],
])('a config has the texts of a language where %s', async (_, query, headers, words) => {
  expect(wordsOf(await config(query, headers))).toEqual(words);
});

test('what is missing in a language shows in the main texts, and caches keep the languages apart', async () => {
  const french = await config('?l=fr');
  expect(wordsOf(french)).toEqual([
    ...[
      'Écrivez-nous',
      'Need help?',
      'I agree',
      'Good day',
      '',
      'Order number',
      'Sujet',
      'Delivery',
      'Retours',
      'Other',
    ],
  ]);
  expect(french.preChatFields[0]).not.toHaveProperty('id');
  const { headers } = await fetch(`${server.url}/api/widget/${site.widgetCode}?l=`);
  expect(headers.get('vary')).toContain('Accept-Language');
});

test('visitors choose among departments in their language, the team keeps the main names, and a deleted one takes its texts along', async () => {
  const at = `/sites/${site._id}/departments`;
  const add = async (name: string): Promise<Department[]> =>
    (await server.api(`POST ${at}`, { token: owner.token, body: { name } })).body.data.departments;
  await add('Orders');
  const [orders, invoices] = (await add('Invoices')).map(({ _id }) => _id);
  const named = (departments: object) => save({ translations: { de: { ...GERMAN, departments } } });
  const names = async (query: string) => (await config(query)).departments.map(({ name }: Department) => name);
  await named({ [`${orders}`]: ' Bestellungen ', [`${invoices}`]: '' });
  expect([await names('?l=de'), await names('?l=fr')]).toEqual([
    ['Bestellungen', 'Invoices'],
    ['Orders', 'Invoices'],
  ]);
  const guest = await visit(server.api, site, { speaks: 'de' });
  const message = { clientId: crypto.randomUUID(), content: 'Wo ist mein Paket?', department: orders };
  const sent = await server.api(`POST /widget/${site.widgetCode}/messages`, {
    token: guest.visitorToken,
    body: message,
  });
  const { chat } = (await server.api(`GET /chats/${sent.body.data.chat._id}`, { token: owner.token })).body.data;
  expect(chat.department).toMatchObject({ _id: orders, name: 'Orders' });
  // One that reads like another stays as it is.
  await named({ [`${orders}`]: 'Invoices' });
  expect(await names('?l=de')).toEqual(['Orders', 'Invoices']);
  await server.api(`DELETE ${at}/${orders}`, { token: owner.token });
  expect((await stored()).translations.de?.departments).toEqual({});
  expect((await named({ [`${invoices}`]: 'x'.repeat(41) })).status).toBe(422);
});

test.each([
  ['the session', { Bestellnummer: 'A-17', Thema: 'Rückgabe' }, 'de'],
  ['a form in the main language', { 'Order number': 'A-17', Topic: 'Returns' }, 'de'],
  ['a form from before the language was changed', { 'Order number': 'A-17', Sujet: 'Retours' }, 'de'],
  ['a page that does not say its language', { Bestellnummer: 'A-17', Thema: 'Returns' }, undefined],
])('answers from %s are stored under the main labels', async (_, answers, speaks) => {
  const { visitor } = await visit(server.api, site, { visitor: { answers, consent: true }, speaks });
  const isGerman = speaks === 'de';
  expect(visitor.known).toEqual(isGerman ? ['Bestellnummer', 'Thema'] : ['Order number', 'Topic']);
  expect(await detailsOf(visitor._id)).toMatchObject({
    attributes: [
      { name: 'Order number', value: 'A-17', asked: true },
      { name: 'Topic', value: 'Returns', asked: true },
    ],
    consent: { text: isGerman ? 'Ich stimme zu' : 'I agree' },
  });
});

test('a word that two languages use for different fields is taken as the visitor’s language means it', async () => {
  const field = (id: string, label: string) => ({ id, kind: 'text', label, required: false });
  await save({
    preChatFields: [field('cccc0001', 'Present'), field('cccc0002', 'Gift')],
    translations: { de: { fields: { cccc0001: { label: 'Gift' }, cccc0002: { label: 'Präsent' } } }, fr: null },
  });
  // 'Gift' would stand for both fields, so the first one stays in the main language.
  expect((await config('?l=de')).preChatFields.map(({ label }: { label: string }) => label)).toEqual([
    'Present',
    'Präsent',
  ]);
  const { visitor } = await visit(server.api, site, {
    visitor: { answers: { Gift: 'b', Present: 'a' } },
    speaks: 'en',
  });
  expect((await detailsOf(visitor._id)).attributes).toMatchObject([
    { name: 'Present', value: 'a' },
    { name: 'Gift', value: 'b' },
  ]);
});

test('the offline form and the answer to a greeting are in the visitor’s language', async () => {
  const guest = await visit(server.api, site, { speaks: 'de' });
  const { body } = await server.api(`POST /widget/${site.widgetCode}/offline`, {
    token: guest.visitorToken,
    body: {
      clientId: crypto.randomUUID(),
      content: 'Hallo',
      name: 'Vera',
      email: 'vera@guest.example',
      answers: { Thema: 'Lieferung' },
      greeting: GREETING.id,
    },
  });
  expect(body.data.message.greeting).toBe('Guten Tag');
  expect((await detailsOf(guest.visitor._id)).attributes).toMatchObject([{ name: 'Topic', value: 'Delivery' }]);
});

test('open widgets get a change in their own language: two tabs of a visitor, and one that polls', async () => {
  const guest = await visit(server.api, site, { speaks: 'fr' });
  const tab = (speaks?: string) => dial(`${server.url}/visitor`, { visitorToken: guest.visitorToken, speaks });
  const [german, french, old] = await Promise.all([tab('de-AT'), tab('fr'), tab()]);
  const poll = (at?: string) =>
    server.api(`POST /widget/${site.widgetCode}/poll`, { token: guest.visitorToken, body: { at, speaks: 'de' } });
  const titles = (payloads: { config: Awaited<ReturnType<typeof config>> }[]) =>
    payloads.at(-1)?.config.customization.navbarTitle;
  await save({ translations: { de: { ...GERMAN, navbarTitle: 'Hallo' } } });
  await until(async () => titles(german.heard('config_changed')) === 'Hallo');
  await until(async () => titles(french.heard('config_changed')) === 'Écrivez-nous');
  // A widget of the release before: its visitor's last page was French.
  await until(async () => titles(old.heard('config_changed')) === 'Écrivez-nous');
  const { at } = (await poll()).body.data;
  const { events } = (await poll(at)).body.data;
  const changes = events.filter(([name]: [string]) => name === 'config_changed');
  expect(titles(changes.map(([, payload]: [string, never]) => payload))).toBe('Hallo');
});

test('renaming and moving keep the translations, removing drops them', async () => {
  const [email, order, topic] = FORM;
  const renamed = { ...topic, label: 'Subject', options: ['Returns', 'Billing'] };
  await save({ preChatFields: [renamed, email], greetings: [] });
  const { translations } = await stored();
  const { greetings: _, ...others } = GERMAN;
  expect(translations).toEqual({
    de: {
      ...others,
      greetings: {},
      fields: { bbbb0003: { label: 'Thema', options: [{ option: 'Returns', text: 'Rückgabe' }] } },
    },
    fr: FRENCH,
  });
  expect(order.id in (translations.de?.fields ?? {})).toBe(false);
});

test('fields without ids get some: the same field the same one, even where another has taken it', async () => {
  const fields = [
    { kind: 'text', label: 'Company', required: false },
    { kind: 'text', label: 'Town', required: false },
  ];
  await save({ preChatFields: fields });
  const [company, town] = (await stored()).preChatFields;
  await save({ preChatFields: [{ ...fields[0], required: true }, fields[1]] });
  expect((await stored()).preChatFields.map(({ id }) => id)).toEqual([company?.id, town?.id]);
  await save({ preChatFields: [{ ...company, label: 'Firm' }, fields[0], fields[1]] });
  const ids = (await stored()).preChatFields.map(({ id }) => id);
  expect([ids[0], ids[2], new Set(ids).size]).toEqual([company?.id, town?.id, 3]);
});

test('two people can change two languages at the same time, and not the same one', async () => {
  const [first, second] = await Promise.all([
    save({ translations: { de: { navbarTitle: 'Neu' } } }, { base: { settings: { translations: { de: GERMAN } } } }),
    save({ translations: { es: { navbarTitle: 'Hola' } } }, { base: { settings: { translations: { es: null } } } }),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  const late = await save({ translations: { de: null } }, { base: { settings: { translations: { de: GERMAN } } } });
  expect([late.status, late.body.errors[0].path]).toEqual([409, 'settings.translations.de']);
  expect((await stored()).translations).toMatchObject({ de: { navbarTitle: 'Neu' }, es: { navbarTitle: 'Hola' } });
});

test.each<[string, object]>([
  ['a long title', { navbarTitle: 'x'.repeat(501) }],
  ['a long launcher', { launcherText: 'x'.repeat(31) }],
  ['a title that is no text', { navbarTitle: 3 }],
  ['texts that are no object', ['x']],
  ['an id that is no id', { greetings: { constructor: 'x' } }],
  ['a long label', { fields: { bbbb0002: { label: 'x'.repeat(41) } } }],
  ['options that are no list', { fields: { bbbb0002: { options: 'x' } } }],
  ['nine fields', { fields: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`bbbb000${i}`, {}])) }],
])('%s is refused', async (_, de) => {
  const { status, body } = await save({ translations: { de } });
  expect([status, body.errors[0].path]).toEqual([422, 'settings.translations.de']);
});

test('a language that the widget does not speak is refused as the main one, and ignored as another one', async () => {
  expect((await save({ mainLanguage: 'nl' })).status).toBe(422);
  await save({ mainLanguage: null, translations: { nl: { navbarTitle: 'Hoi' } } });
  expect(await stored()).toMatchObject({ mainLanguage: null, translations: expect.not.objectContaining({ nl: {} }) });
});
