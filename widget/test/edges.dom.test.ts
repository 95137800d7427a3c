import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ringInOneTab } from '../src/alert/alert.ts';
import { useDomHelpers } from '../src/chat/dom-helpers.ts';
import { createStorage } from '../src/chat/storage.ts';
import * as dom from '../src/dom.ts';
import { attachment } from '../src/files/files.ts';
import { find, leave, parley, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
  // jsdom has no window focus.
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

const said = () => texts('.bubble .text');
const states = () => texts('.mine .state');
const asked = (event: string) => server.asks.filter(([name]) => name === event).map(([, ask]) => ask);

async function open(): Promise<void> {
  server.asks.length = 0;
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
}

test('the widget stays on the page when a firewall refuses the session', async () => {
  server.firewall = true;
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(find('.lost').hidden).toBe(false));
  server.firewall = false;
  await waitFor(() => expect(find('.lost').hidden).toBe(true));
  write('Through at last');
  await waitFor(() => expect(states()).toEqual(['Sent']));
});

test('Enter that confirms a word of an input method does not send, in Safari either', async () => {
  await open();
  const input = find<HTMLTextAreaElement>('textarea');
  input.value = '日本語';
  input.dispatchEvent(new Event('input'));
  for (const how of [{ isComposing: true }, { keyCode: 229 }])
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true, ...how }));
  expect(said()).toEqual(['Hello!']);
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
  expect(said()).toEqual(['Hello!', '日本語']);
});

test('a lost network is shown at once, and the connection returns with it', async () => {
  await open();
  await waitFor(() => expect(find('.lost').hidden).toBe(true));
  dispatchEvent(new Event('offline'));
  expect(find('.lost').hidden).toBe(false);
  dispatchEvent(new Event('online'));
  await waitFor(() => expect(find('.lost').hidden).toBe(true));
});

test('a message that is not accepted for long shows the reason', async () => {
  await open();
  server.full = true;
  write('Any room?');
  await waitFor(() => expect(texts('.mine .foot')).toEqual(['Not sent yet, retrying. No room left.']));
  server.full = false;
  // A message from another tab makes this one retry at once.
  dispatchEvent(new StorageEvent('storage', { key: `parley:${server.code}:out:of-another-tab` }));
  await waitFor(() => expect(states()).toEqual(['Sent']));
});

test('a tab that was disconnected for other tabs reconnects when it becomes visible', async () => {
  await open();
  const line = server.io.of('/visitor');
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  line.emit('gave_way');
  await waitFor(() => expect(line.sockets.size).toBe(0));
  server.asks.length = 0;
  dispatchEvent(new Event('focus'));
  await waitFor(() => expect(asked('sync')).not.toEqual([]));
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  server.asks.length = 0;
  line.emit('gave_way');
  line.disconnectSockets(true);
  await waitFor(() => expect(asked('sync')).not.toEqual([]));
});

test('a widget whose connection is permanently refused leaves the page', async () => {
  await open();
  const line = server.io.of('/visitor');
  line.use((_, next) => next(new Error('ORIGIN_NOT_ALLOWED')));
  line.disconnectSockets(true);
  await waitFor(() => expect(document.querySelector('parley-widget')).toBeNull());
});

test('a visitor who logs out in another tab is logged out here, and nothing more is sent in their name', async () => {
  await open();
  write('Of Ana');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const key = `parley:${server.code}:token`;
  const oldValue = localStorage.getItem(key);
  localStorage.clear();
  server.forget();
  server.token = 'of-nobody';
  dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null }));
  await waitFor(() => expect(said()).toEqual(['Hello!']));
  expect(parley().isOpen()).toBe(true);
  write('Of somebody else');
  await waitFor(() => expect(server.senders).toEqual(['good', 'of-nobody']));
});

test('a page that opens the chat does not interrupt typing, and takes no focus without a user gesture', async () => {
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  await open();
  expect(find('.panel').hidden).toBe(false);
  expect(document.activeElement).toBe(field);
  parley().close();
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  field.remove();
  vi.stubGlobal('navigator', Object.create(navigator, { userActivation: { value: { isActive: false } } }));
  parley().open();
  await waitFor(() => expect(find('.panel').hidden).toBe(false));
  expect(document.activeElement).toBe(document.body);
  vi.unstubAllGlobals();
});

test.each([
  [192, '192 bytes'],
  [1_023, '1,023 bytes'],
  [1_400, '1 kB'],
  [1_000_000, '977 kB'],
  [9_900_000, '9.4 MB'],
  [10 * 1024 * 1024, '10 MB'],
])('a file of %i bytes is shown as %s', (size, text) => {
  useDomHelpers(dom);
  const file = { url: '/menu', name: 'menu.pdf', size, mime: 'application/pdf' };
  expect(attachment(file, server.origin, 'en').textContent).toBe(`menu.pdf ${text}`);
});

test('without locks one of several tabs plays the sound of an answer, and none repeats it', () => {
  vi.useFakeTimers();
  const sounds = vi.fn();
  const storage = createStorage(server.code);
  const tabs = [storage, createStorage(server.code), createStorage(server.code)];
  for (const tab of tabs) ringInOneTab(server.code, tab, sounds);
  vi.advanceTimersByTime(500);
  expect(sounds).toHaveBeenCalledOnce();
  ringInOneTab(server.code, storage, sounds);
  vi.advanceTimersByTime(500);
  expect(sounds).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(3_000);
  ringInOneTab(server.code, storage, sounds);
  vi.advanceTimersByTime(500);
  expect(sounds).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
