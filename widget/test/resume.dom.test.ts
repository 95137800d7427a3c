import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from './wait.ts';

const SITE = 'a'.repeat(24);
const PAGE = `/c/${SITE}`;
const CONFIG = { name: 'Corner Shop', customization: { position: 'left' } };

const answers = new Map<string, [status: number, data: object]>();
const asked = vi.fn();

beforeEach(() => {
  asked.mockClear();
  answers.clear();
  answers.set('', [200, CONFIG]);
  answers.set('/resume', [200, { visitorToken: 'mine' }]);
  localStorage.clear();
  delete window.Parley;
  document.head.replaceChildren();
  document.body.innerHTML = '<h1 id="title"></h1><p id="text"></p>';
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const call = url.replace(`/api/widget/${SITE}`, '');
    asked(call, body && JSON.parse(String(body)));
    const [status, data] = answers.get(call) ?? [404, {}];
    return Response.json(status === 200 ? { success: true, data } : { success: false, code: 'NO' }, { status });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  delete window.Parley;
  localStorage.clear();
  history.replaceState(null, '', '/');
});

/** Opens the page again. */
async function open(hash = ''): Promise<void> {
  history.replaceState(null, '', `${PAGE}${hash}`);
  vi.resetModules();
  await import('../src/resume/resume.ts');
}

const title = () => document.getElementById('title')?.textContent;
const script = () => document.querySelector('script');
const token = () => localStorage.getItem(`parley:${SITE}:token`);

test('a link is exchanged for a token, removed from the address, and opens the chat', async () => {
  await open('#secret');
  await waitFor(() => expect(script()?.src).toMatch(/\/widget\.js$/));
  expect(asked.mock.calls).toEqual([
    ['/resume', { token: 'secret' }],
    ['', undefined],
  ]);
  expect(token()).toBe('mine');
  expect(script()?.dataset.siteId).toBe(SITE);
  expect(window.Parley).toEqual([['open']]);
  expect(location.hash).toBe('');
  expect(title()).toBe('Corner Shop');
  expect(document.body.className).toBe('left');
});

test('the device returns to the chat without the link, and with an expired one', async () => {
  localStorage.setItem(`parley:${SITE}:token`, 'kept');
  await open();
  await waitFor(() => expect(script()).not.toBeNull());
  document.head.replaceChildren();
  answers.set('/resume', [401, {}]);
  await open('#old');
  await waitFor(() => expect(script()).not.toBeNull());
  expect(token()).toBe('kept');
});

test('an expired or missing link shows a message and no widget', async () => {
  answers.set('/resume', [401, {}]);
  for (const hash of ['#old', '']) {
    await open(hash);
    await waitFor(() => expect(title()).toBe('This link has expired'));
    document.body.innerHTML = '<h1 id="title"></h1><p id="text"></p>';
  }
  expect(script()).toBeNull();
});

test('the link is kept when the server does not answer', async () => {
  answers.set('/resume', [503, {}]);
  await open('#secret');
  await waitFor(() => expect(title()).toBe('The chat cannot be reached'));
  expect(location.hash).toBe('#secret');
  expect(script()).toBeNull();
});
