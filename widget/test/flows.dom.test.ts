import type { FlowButton, FlowTarget, VisitorMessageBody } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillIn, find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

const INVOICES = 'b'.repeat(24);
const ARTICLE = 'a'.repeat(24);
const button = (label: string, target: FlowTarget = { kind: 'chat' }): FlowButton => ({
  id: label.toLowerCase().replace(/\W/g, ''),
  label,
  target,
});
const BUTTONS = [
  button('Orders', {
    kind: 'question',
    question: 'Which one?',
    buttons: [
      button('The last one', {
        kind: 'question',
        question: 'What about it?',
        buttons: [button('Invoice', { kind: 'department', department: INVOICES })],
      }),
      button('How to order', { kind: 'article', article: ARTICLE }),
    ],
  }),
  button('Call us', { kind: 'link', url: 'tel:+49301234' }),
  button('Our shop', { kind: 'link', url: 'https://shop.example.com/' }),
];
let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  server.config.buttons = 1;
  server.answers['GET /buttons'] = { buttons: BUTTONS, main: {} };
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

const TOP = ['Orders', 'Call us', 'Our shop', 'Something else'];
const choices = () => texts('.flows:not([hidden]) .tap');
const sent = () => server.asks.flatMap(([event, ask]) => (event === 'send_message' ? [ask as VisitorMessageBody] : []));
const tap = (label: string) => {
  const found = [...find('.flows').querySelectorAll<HTMLElement>('a, button')].find(
    (each) => each.textContent === label,
  );
  if (!found) throw new Error(`There is no ${label}.`);
  found.focus();
  found.click();
};
const focused = () => document.querySelector('parley-widget')?.shadowRoot?.activeElement?.textContent;

async function open(shown = TOP): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  find('.launcher').focus();
  // A page that was left with the chat open opens it by itself.
  if (!sessionStorage.length) find('.launcher').click();
  await waitFor(() => expect(choices()).toEqual(shown));
  await waitFor(() => expect(server.io.of('/visitor').sockets.size).toBe(1));
}

test('buttons stand in place of the field, lead on level by level, and the department goes with the last tap', async () => {
  server.config.departments = [{ _id: INVOICES, name: 'Invoices', online: true }];
  await open();
  expect(find('.composer').hidden).toBe(true);
  await waitFor(() => expect(find('.departments').hidden).toBe(true));
  expect([focused(), find('.flows').getAttribute('aria-label')]).toEqual(['Orders', 'How can we help?']);
  tap('Orders');
  expect(choices()).toEqual(['The last one', 'How to order', 'Something else']);
  expect([focused(), find('.flows').getAttribute('aria-label')]).toEqual(['The last one', 'Which one?']);
  tap('The last one');
  tap('Invoice');
  expect([choices(), find('.composer').hidden]).toEqual([[], false]);
  expect(find('.composer textarea').matches(':focus')).toBe(true);
  await waitFor(() => expect(sent()).toHaveLength(3));
  expect(sent().map(({ content, department }) => [content, department])).toEqual([
    ['Orders', undefined],
    ['The last one', undefined],
    ['Invoice', INVOICES],
  ]);
});

test('the level follows from the messages: after a reload, in the main language, and on another device', async () => {
  await open();
  tap('Orders');
  await waitFor(() => expect(sent()).toHaveLength(1));
  leave();
  const german = button('Bestellungen', BUTTONS[0]?.target);
  server.answers['GET /buttons'] = { buttons: [{ ...german, id: 'orders' }], main: { orders: 'Orders' } };
  await open(['The last one', 'How to order', 'Something else']);
  leave();
  localStorage.removeItem('parley:corner-shop:on');
  sessionStorage.clear();
  await open(['The last one', 'How to order', 'Something else']);
});

test.each([
  ['an agent', () => server.say('Good morning')],
  ['the visitor', () => write('I am writing')],
])('an answer ends the buttons: %s writes; after the chat they begin again', async (_, speak) => {
  await open();
  tap('Orders');
  await waitFor(() => expect(sent()).toHaveLength(1));
  speak();
  await waitFor(() => expect([choices(), find('.composer').hidden]).toEqual([[], false]));
  if (_ === 'an agent') expect(find('.list').matches(':focus')).toBe(true);
  await waitFor(() => expect(server.messages).toHaveLength(2));
  find('.composer textarea').blur();
  find('.list').blur();
  server.close();
  server.io.of('/visitor').emit('chat_closed', { chatId: server.messages[0]?.chatId });
  await waitFor(() => expect(choices()).toEqual(TOP));
});

test('a tap that gives no focus, as on iPhones, still leads it to the next buttons', async () => {
  await open();
  const first = find('.flows .tap');
  first.blur();
  first.click();
  expect(focused()).toBe('The last one');
});

test('what a rule sends leaves the buttons and the focus as they are, and the visitor taps on', async () => {
  await open();
  tap('Orders');
  await waitFor(() => expect(sent()).toHaveLength(1));
  server.sayByRule('We answer within a day');
  await waitFor(() => expect(texts('.list').join()).toContain('We answer within a day'));
  expect([choices()[0], focused(), find('.composer').hidden]).toEqual(['The last one', 'The last one', true]);
  tap('The last one');
  expect(choices()).toEqual(['Invoice', 'Something else']);
  await waitFor(() => expect(sent()).toHaveLength(2));
  server.say('Good morning');
  await waitFor(() => expect([choices(), find('.composer').hidden]).toEqual([[], false]));
});

test('something else brings the field, and so does what a page writes into it', async () => {
  await open();
  tap('Something else');
  expect([choices(), find('.composer').hidden]).toEqual([[], false]);
  expect(find('.composer textarea').matches(':focus')).toBe(true);
  find('.composer textarea').blur();
  leave();
  await open();
  parley().prefill('Is it blue?');
  await waitFor(() => expect([choices(), find('.composer').hidden]).toEqual([[], false]));
});

test('links are links, which open apart where they are pages, and the tap is a message', async () => {
  await open();
  const [call, shop] = [...find('.flows').querySelectorAll('a')];
  expect([call?.target, shop?.target, shop?.rel, shop?.href]).toEqual([
    '',
    '_blank',
    'noopener',
    'https://shop.example.com/',
  ]);
  for (const link of [call, shop]) link?.addEventListener('click', (event) => event.preventDefault());
  tap('Our shop');
  await waitFor(() => expect(sent()).toMatchObject([{ content: 'Our shop' }]));
  expect(find('.composer').hidden).toBe(false);
});

test('an article opens over the conversation, also where the widget shows none by itself', async () => {
  const article = {
    _id: ARTICLE,
    slug: 'how',
    lang: 'en',
    title: 'Ordering',
    excerpt: '',
    url: '',
    nodes: [],
    updatedAt: '',
    category: null,
  };
  server.answers[`GET /articles/${ARTICLE}`] = { article };
  await open();
  tap('Orders');
  tap('How to order');
  await waitFor(() => expect(texts('.pages h3')).toEqual(['Ordering']));
  press('Back to the conversation');
  expect([choices(), find('.composer').hidden]).toEqual([[], false]);
});

test('a required form comes first, then the buttons', async () => {
  server.config.preChat = 'required';
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(texts('.form h3')).toEqual(['Before we start']));
  await waitFor(() => expect(server.calls).toContain('GET /buttons'));
  expect([choices(), find('.composer').hidden]).toEqual([[], true]);
  fillIn('Name', 'Vera');
  fillIn('Email', 'vera@guest.example');
  find('.form .primary').focus();
  press('Start chat');
  await waitFor(() => expect(choices()).toEqual(TOP));
  expect([focused(), find('.composer').hidden]).toEqual(['Orders', true]);
});

test('a form for an answer by mail is filled in before a tap is sent', async () => {
  server.config.online = false;
  await open();
  await waitFor(() => expect(texts('.form h3')).toEqual(['Leave us a message']));
  tap('Our shop');
  expect(texts('.form .fault, .form [role=alert]').join()).toContain('name');
  expect(server.calls).not.toContain('POST /offline');
  fillIn('Name', 'Vera');
  fillIn('Email', 'vera@guest.example');
  tap('Orders');
  await waitFor(() => expect(server.visitors).toMatchObject([{ name: 'Vera', content: 'Orders' }]));
  expect(choices()).toEqual(['The last one', 'How to order', 'Something else']);
});

test('what was tapped without a connection is sent later, with its department, whatever happens to the page', async () => {
  await open();
  server.silent = true;
  for (const label of ['Orders', 'The last one', 'Invoice']) tap(label);
  expect(choices()).toEqual([]);
  leave();
  server.silent = false;
  visit(server);
  await waitFor(() => expect(server.messages.map(({ text }) => text)).toEqual(['Orders', 'The last one', 'Invoice']));
  expect(sent().at(-1)).toMatchObject({ content: 'Invoice', department: INVOICES });
});

test('without the buttons the visitor writes, until they can be loaded', async () => {
  server.answers['GET /buttons'] = null;
  const setTimeout = vi.spyOn(window, 'setTimeout');
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect([choices(), find('.composer').hidden]).toEqual([[], false]));
  server.answers['GET /buttons'] = { buttons: BUTTONS, main: {} };
  const [retry] = setTimeout.mock.calls.find(([, delay]) => delay === 10_000) ?? [];
  (retry as () => void)();
  await waitFor(() => expect(choices()).toEqual(TOP));
  // The owner has changed them.
  server.answers['GET /buttons'] = { buttons: BUTTONS.slice(1), main: {} };
  server.io.of('/visitor').emit('config_changed', { config: { ...server.config, buttons: 2 } });
  await waitFor(() => expect(choices()).toEqual(TOP.slice(1)));
  const { buttons: _, ...none } = server.config;
  server.io.of('/visitor').emit('config_changed', { config: none });
  await waitFor(() => expect([choices(), find('.composer').hidden]).toEqual([[], false]));
});
