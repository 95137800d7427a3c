import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBundledPart } from '../src/bundled-parts.ts';
import type { ImportPart } from '../src/chat/context.ts';
import { find, leave, parley, texts, visit } from './page.ts';
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
  document.documentElement.lang = '';
  vi.restoreAllMocks();
  await server.stop();
});

const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);
const drawn = () => waitFor(() => find('.launcher'));

test('the page sends a message for the visitor, and fills the field', async () => {
  visit(server);
  parley().sendMessage('Where is my order?');
  await waitFor(() => expect(server.messages.map(({ content }) => content)).toEqual(['Where is my order?']));
  parley().prefill('It is number 42');
  parley().open();
  await waitFor(() => expect(find<HTMLTextAreaElement>('textarea').value).toBe('It is number 42'));
});

test('the page reports its address and identifies the visitor', async () => {
  visit(server);
  parley().setPage({ url: '/cart', title: 'Cart' });
  parley().identify({ name: 'Mina Park' });
  parley().open();
  const url = new URL('/cart', location.href).href;
  await waitFor(() => expect(server.pages).toContainEqual({ url, title: 'Cart' }));
  expect(server.told).toContainEqual({ identity: { name: 'Mina Park' } });
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  parley().setPage({ url: '/thanks', title: 'Thank you' });
  await waitFor(() =>
    expect(asked('page')).toEqual([{ url: new URL('/thanks', location.href).href, title: 'Thank you' }]),
  );
});

test('the page gets the availability', async () => {
  visit(server);
  const heard: boolean[] = [];
  parley().on('availability', ({ online }) => heard.push(online));
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  server.io.of('/visitor').emit('availability', { online: false });
  await waitFor(() => expect(heard).toEqual([false]));
});

test('the language is that of the page, of data-language or of a call, with English as the fallback', async () => {
  document.documentElement.lang = 'de-AT';
  visit(server);
  await drawn();
  parley().open();
  await waitFor(() => expect(texts('.status')).toEqual(['Wir sind online']));
  expect(find('.stage').dir).toBe('ltr');
  find('.composer textarea').blur();
  parley().setLanguage('ar');
  await waitFor(() => expect(texts('.status')).toEqual(['نحن متصلون الآن']));
  expect(find('.stage').dir).toBe('rtl');
  expect(find('.panel').hidden).toBe(false);
  leave();
  visit(server, { language: 'tlh' });
  parley().open();
  await waitFor(() => expect(texts('.status')).toEqual(['Wir sind online']));
});

test('the theme follows the browser until the page sets one', async () => {
  visit(server, { theme: 'dark' });
  parley().open();
  await waitFor(() => expect(find('.stage').hasAttribute('data-dark')).toBe(true));
  parley().setTheme('light');
  await waitFor(() => expect(find('.stage').hasAttribute('data-dark')).toBe(false));
});

test("attributes of the tag override the site's settings", async () => {
  visit(server, { position: 'left', color: '#0b3d2e', zIndex: '5', offset: '30 40', hidden: '' });
  await drawn();
  const { style, className } = find('.stage');
  expect(className).toContain('left');
  expect(style.zIndex).toBe('5');
  expect(style.padding).toBe('30px 40px');
  expect(find('.launcher').hidden).toBe(true);
});

test('data-open opens the chat, unless the visitor closed it', async () => {
  visit(server, { open: '' });
  await waitFor(() => expect(parley().isOpen()).toBe(true));
  await waitFor(() => find('.panel'));
  parley().close();
  await waitFor(() => expect(sessionStorage.getItem(`parley:${server.code}:open`)).toBe(''));
  leave();
  visit(server, { open: '' });
  await drawn();
  expect(parley().isOpen()).toBe(false);
});

test('logout forgets the visitor on this device', async () => {
  visit(server);
  parley().open();
  await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('good'));
  parley().logout();
  await waitFor(() => expect(localStorage.length).toBe(0));
  expect(parley().isOpen()).toBe(false);
});

test('an invalid call warns, and never throws', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  window.Parley = [{}, null, ['identify', null], ['setPage', { url: 'http://' }]] as unknown[][];
  visit(server);
  await waitFor(() => expect(warn).toHaveBeenCalledTimes(3));
  parley().push({} as unknown[]);
  parley().setPage(undefined as never);
  parley().sendMessage('Still here');
  await waitFor(() => expect(server.messages.map(({ content }) => content)).toEqual(['Still here']));
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    'Parley: no call',
    'Parley: no call',
    'Parley: setPage() cannot use what it was given.',
    'Parley: no call',
    'Parley: setPage() cannot use what it was given.',
  ]);
});

test('calls are kept while the code cannot be loaded, and then run in order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  let tries = 0;
  const load: ImportPart = async (name, attempt) => {
    if (name === 'commands' && tries++ < 2) throw new TypeError('Failed to fetch');
    return importBundledPart(name, attempt);
  };
  visit(server, {}, load);
  parley().sendMessage('One');
  parley().identify({ name: 'Mina Park' });
  parley().sendMessage('Two');
  while (tries < 3) await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await waitFor(() => expect(server.messages.map(({ content }) => content)).toEqual(['One', 'Two']));
  await waitFor(() => expect(server.told).toContainEqual({ identity: { name: 'Mina Park' } }));
});

test('an identity set after logout goes to the new chat, not the one that closes', async () => {
  visit(server);
  parley().identify({ name: 'Ana' });
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  server.token = 'of-ben';
  parley().logout();
  parley().identify({ name: 'Ben' });
  await waitFor(() => expect(parley().isOpen()).toBe(false));
  parley().open();
  await waitFor(() => expect(localStorage.getItem(`parley:${server.code}:token`)).toBe('of-ben'));
  expect(server.told).toEqual([{ identity: { name: 'Ana' } }, { identity: { name: 'Ben' } }]);
});

test('setting the same language changes nothing, and another one leaves no old style sheets', async () => {
  visit(server);
  parley().open();
  await waitFor(() => expect(texts('.status')).toEqual(['We are online']));
  const sheets = () => find('.panel').getRootNode().childNodes.length;
  await waitFor(() => expect(server.asks.length).toBeGreaterThan(0));
  const before = sheets();
  const panel = find('.panel');
  find('.composer textarea').blur();
  for (const [tag, status] of [
    ['de', 'Wir sind online'],
    ['en', 'We are online'],
  ] as const) {
    parley().setLanguage(tag);
    await waitFor(() => expect(texts('.status')).toEqual([status]));
  }
  expect(find('.panel')).not.toBe(panel);
  await waitFor(() => expect(sheets()).toBe(before));
  const same = find('.panel');
  parley().setLanguage('en');
  parley().setTheme('dark');
  await waitFor(() => expect(find('.stage').hasAttribute('data-dark')).toBe(true));
  expect(find('.panel')).toBe(same);
});

test('another language brings the site’s own texts, without a connection', async () => {
  visit(server);
  await drawn();
  server.config.buttonText = 'Fragen?';
  parley().setLanguage('de');
  await waitFor(() => expect(texts('.launcher .label')).toEqual(['Fragen?']));
  expect(server.asks).toEqual([]);
});

test('the distance from the edges is given in pixels, with or without the unit', async () => {
  visit(server, { offset: '20px 1.5rem' });
  await drawn();
  expect(find('.stage').style.padding).toBe('20px 1.5rem');
});

test('a page element that is already stored as window.Parley does not prevent the widget', async () => {
  const section = document.createElement('section');
  Object.defineProperty(window, 'Parley', { value: section, configurable: true, writable: true });
  visit(server);
  await drawn();
  expect(parley().isOpen()).toBe(false);
});
