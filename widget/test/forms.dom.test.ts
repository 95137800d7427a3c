import type { PreChatField } from 'server/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillIn, find, leave, parley, press, texts, type, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  await server.stop();
});

async function open(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => find('.panel'));
}

const composerIsThere = () => !find('.composer').hidden;
const title = () => texts('.form h3')[0];

test('name and email are required before the first message when the site says so', async () => {
  server.config.preChat = 'required';
  await open();
  await waitFor(() => expect(title()).toBe('Before we start'));
  expect(composerIsThere()).toBe(false);
  press('Start chat');
  expect(texts('.fault')).toEqual(['Please enter your name', 'Please enter a valid email address']);
  fillIn('Name', 'Mina Park');
  fillIn('Email', 'mina@');
  press('Start chat');
  expect(texts('.fault')).toEqual(['', 'Please enter a valid email address']);
  fillIn('Email', 'mina@example.com');
  press('Start chat');
  await waitFor(() => expect(composerIsThere()).toBe(true));
  await waitFor(() => expect(server.visitors).toContainEqual({ name: 'Mina Park', email: 'mina@example.com' }));
  expect(texts('.form')).toEqual([]);

  leave();
  await open();
  expect(composerIsThere()).toBe(true);
});

test('an optional form can be skipped, and is not shown again', async () => {
  server.config.preChat = 'optional';
  await open();
  await waitFor(() => press('Skip'));
  await waitFor(() => expect(composerIsThere()).toBe(true));
  leave();
  await open();
  expect(composerIsThere()).toBe(true);
});

test('a visitor identified by the page is not asked', async () => {
  server.config.preChat = 'required';
  visit(server);
  parley().identify({ name: 'Mina Park', email: 'mina@example.com' });
  parley().open();
  await waitFor(() => expect(composerIsThere()).toBe(true));
  const identity = { name: 'Mina Park', email: 'mina@example.com' };
  await waitFor(() => expect(server.told).toContainEqual({ identity }));
});

test('while the team is offline the form asks above the composer, and goes with the message', async () => {
  await open();
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
  const composer = type('Half a thought');
  server.online(false);
  await waitFor(() => expect(title()).toBe('Leave us a message'));
  expect(texts('.offline')).toEqual(['Nobody is there.']);
  write('A whole thought');
  expect(texts('.form .fault')).toEqual(['Please enter your name', 'Please enter a valid email address']);
  expect(composer.value).toBe('A whole thought');
  fillIn('Name', 'Mina Park');
  fillIn('Email', 'mina@example.com');
  find('.send').click();
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  expect(server.calls).toContain('POST /offline');
  expect(server.messages.map(({ content }) => content)).toEqual(['A whole thought']);
  expect(texts('.notice')).toEqual(['Thank you. We will answer by email.']);
  expect(find('.composer textarea')).toBe(composer);
  expect(texts('.form')).toEqual([]);
});

test('a form in which something is typed stays when the team comes online, and its answers go with the message', async () => {
  Object.assign(server.config, { online: false });
  await open();
  await waitFor(() => expect(title()).toBe('Leave us a message'));
  fillIn('Name', 'Mina Park');
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
  server.online(true);
  await waitFor(() => expect(texts('.status')).toEqual(['We are online']));
  expect(find<HTMLInputElement>('.form input').value).toBe('Mina Park');
  write('Do you ship?');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  await waitFor(() => expect(server.visitors).toContainEqual({ name: 'Mina Park' }));
  expect(server.calls).not.toContain('POST /offline');
  expect(texts('.form')).toEqual([]);
});

test('the form does not promise an answer by mail when mail is off', async () => {
  Object.assign(server.config, { online: false, mail: false });
  await open();
  await waitFor(() => expect(title()).toBe('Leave us a message'));
  fillIn('Name', 'Mina Park');
  fillIn('Email', 'mina@example.com');
  write('Are you there?');
  await waitFor(() => expect(texts('.notice')).toEqual(['Thank you. You will find the answer here.']));
});

test('an open chat stays open when the team goes offline', async () => {
  await open();
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
  write('Hello');
  await waitFor(() => expect(texts('.mine .state')).toEqual(['Sent']));
  server.io.of('/visitor').emit('availability', { online: false });
  await waitFor(() => expect(texts('.offline')).toEqual(['Nobody is there.']));
  expect(composerIsThere()).toBe(true);
});

test("the site's privacy notice is linked", async () => {
  Object.assign(server.config, { preChat: 'required', privacyUrl: 'https://shop.example.com/privacy' });
  await open();
  await waitFor(() => expect(find('.privacy').getAttribute('href')).toBe('https://shop.example.com/privacy'));
});

const FIELDS: PreChatField[] = [
  { kind: 'text', label: 'Order number', required: true },
  { kind: 'phone', label: '', required: false },
  { kind: 'choice', label: 'Topic', required: false, options: ['Delivery', 'Returns'] },
  { kind: 'checkbox', label: 'Newsletter', required: false },
  { kind: 'email', label: '', required: false },
];
const CONSENT = { text: 'I agree', url: 'https://shop.example.com/privacy' };

test('the form asks for the fields of the site, and for the consent', async () => {
  Object.assign(server.config, { preChat: 'optional', preChatFields: FIELDS, consent: CONSENT });
  await open();
  await waitFor(() => expect(title()).toBe('Before we start'));
  expect(texts('.form .caption')).toEqual([
    'Order number',
    'Phone',
    'Topic',
    'Newsletter',
    'Email',
    'I agree Privacy notice',
  ]);
  expect(find<HTMLAnchorElement>('.caption a').href).toBe(CONSENT.url);
  expect(texts('.form button')).toEqual(['Start chat']);
  fillIn('Phone', 'call me');
  press('Start chat');
  const wrong = ['Please fill this in', 'Please enter a valid phone number', '', '', '', 'Please tick this box'];
  expect(texts('.form .fault')).toEqual(wrong);
  fillIn('Order number', ' A-17 ');
  fillIn('Phone', '+49 30 1234');
  fillIn('Topic', 'Returns');
  find('.form .box:last-of-type input').click();
  press('Start chat');
  await waitFor(() => expect(composerIsThere()).toBe(true));
  const answers = { 'Order number': 'A-17', Topic: 'Returns', Newsletter: false };
  await waitFor(() => expect(server.visitors).toContainEqual({ phone: '+49 30 1234', answers, consent: true }));
});

test('what is known is not asked again, and the offline form asks for the rest', async () => {
  Object.assign(server.config, { preChat: 'required', preChatFields: FIELDS, online: false });
  server.known = ['Order number', 'email'];
  server.email = 'mina@example.com';
  visit(server);
  parley().identify({ email: 'mina@example.com', phone: 'none yet' });
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(texts('.form .caption')).toEqual(['Name', 'Email', 'Phone', 'Topic', 'Newsletter']));
  expect(find<HTMLInputElement>('.form [type=email]').value).toBe('mina@example.com');
  expect(server.told).toContainEqual({
    identity: { email: 'mina@example.com' },
    attributes: { phone: 'none yet' },
  });
  server.online(true);
  await waitFor(() => expect(texts('.form .caption')).toEqual(['Phone', 'Topic', 'Newsletter']));
});

test('a visitor of whom everything is known is not asked', async () => {
  Object.assign(server.config, { preChat: 'required', preChatFields: FIELDS });
  server.known = ['Order number', 'phone', 'Topic', 'Newsletter', 'email'];
  visit(server);
  parley().identify({ id: '7' });
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(server.asks.some(([event]) => event === 'sync')).toBe(true));
  expect(texts('.form')).toEqual([]);
  expect(composerIsThere()).toBe(true);
});
