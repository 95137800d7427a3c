import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

test('a visitor sends a message, gets an answer, and both sides see receipts', async () => {
  const heard: string[] = [];
  await open();
  parley().on('message:sent', ({ text }) => heard.push(`sent ${text}`));
  parley().on('message:received', ({ text }) => heard.push(`received ${text}`));
  expect(said()).toEqual(['Hello!']);

  write('  Do you ship?  ');
  expect(said()).toEqual(['Hello!', 'Do you ship?']);
  expect(states()).toEqual(['Sending']);
  await waitFor(() => expect(states()).toEqual(['Sent']));
  expect(server.messages.map(({ content }) => content)).toEqual(['Do you ship?']);

  const [{ chatId } = { chatId: '' }] = server.messages;
  for (const [receipt, word] of [
    [{ delivered: 1, read: 0 }, 'Delivered'],
    [{ delivered: 1, read: 1 }, 'Read'],
    [{ delivered: 1, read: 0 }, 'Read'],
  ] as const) {
    server.io.of('/visitor').emit('receipts', { chatId, ...receipt });
    await waitFor(() => expect(states()).toEqual([word]));
  }
  server.say('Yes.');
  await waitFor(() => expect(said()).toEqual(['Hello!', 'Do you ship?', 'Yes.']));
  await waitFor(() => expect(asked('read')).toEqual([{ chatId, seq: 2 }]));
  expect(states()).toEqual(['Read']);
  expect(asked('received')).toEqual([{ chatId, seq: 2 }]);
  expect(heard).toEqual(['sent Do you ship?', 'received Yes.']);
});

test('receipts of an earlier chat arrive after a reconnect', async () => {
  await open();
  write('First');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const [{ chatId } = { chatId: '' }] = server.messages;
  server.close();
  write('Second');
  await waitFor(() => expect(said()).toContain('Second'));
  await waitFor(() => expect(states()).toEqual(['Sent', 'Sent']));
  server.receipts.push({ chatId, delivered: 1, read: 1 });
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(states()).toEqual(['Read', 'Sent']));
});

test('blank and too long messages are not sent, and the text stays', async () => {
  await open();
  write('   ');
  write('x'.repeat(5_001));
  expect(said()).toEqual(['Hello!']);
  expect(texts('.notice')).toEqual(['5,001 / 5,000']);
  parley().close();
  leave();
  await open();
  expect(find<HTMLTextAreaElement>('textarea').value).toHaveLength(5_001);
});

test('markup is shown as text, and only web addresses become links', async () => {
  await open();
  write('<img src=x onerror=alert(1)> javascript:alert(1) (see https://a.example/b_(c)), www.d.example!');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const bubble = find('.mine .text');
  expect(bubble.querySelector('img')).toBeNull();
  const links = [...bubble.querySelectorAll('a')].map((a) => [a.textContent, a.getAttribute('href'), a.target, a.rel]);
  expect(links).toEqual([
    ['https://a.example/b_(c)', 'https://a.example/b_(c)', '_blank', 'noopener'],
    ['www.d.example', 'https://www.d.example', '_blank', 'noopener'],
  ]);
  write('https://shop.example/\u202Egro.knab\u202C/');
  await waitFor(() => expect(said()).toHaveLength(3));
  expect([...find('.inner .text').querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual([
    'https://shop.example/',
  ]);
});

test('a conversation continues after a reload, and missed messages count as unread until seen', async () => {
  await open();
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  parley().close();
  leave();
  server.say('Are you there?');
  server.say('I can wait.');

  const unread: number[] = [];
  visit(server);
  parley().on('unread', (count) => unread.push(count));
  await waitFor(() => expect(texts('.badge')).toEqual(['2']));
  expect(find('.launcher').getAttribute('aria-label')).toBe('Need help? · 2 unread');
  expect(asked('read')).toEqual([]);
  parley().open();
  await waitFor(() => expect(unread).toEqual([2, 0]));
  expect(said()).toEqual(['Hello!', 'Hello', 'Are you there?', 'I can wait.']);
  await waitFor(() => expect(asked('read')).toMatchObject([{ seq: 3 }]));
});

test('a hidden page does not mark messages as read', async () => {
  await open();
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  server.say('Yes?');
  await waitFor(() => expect(asked('received')).toMatchObject([{ seq: 2 }]));
  expect(asked('read')).toEqual([]);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  dispatchEvent(new Event('focus'));
  await waitFor(() => expect(asked('read')).toMatchObject([{ seq: 2 }]));
});

test('a gap is filled before later messages are shown', async () => {
  await open();
  write('one');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const { emit } = server.io.of('/visitor');
  const mute = vi.spyOn(server.io.of('/visitor'), 'emit').mockReturnValue(true);
  server.say('two');
  server.say('three');
  mute.mockImplementation(emit);
  server.say('four');
  await waitFor(() => expect(said()).toEqual(['Hello!', 'one', 'two', 'three', 'four']));
  const [newest] = server.messages.slice(-1);
  server.io.of('/visitor').emit('new_message', { message: newest });
  server.say('five');
  await waitFor(() => expect(said()).toEqual(['Hello!', 'one', 'two', 'three', 'four', 'five']));
});

test('an unanswered message is sent over HTTP with its id, and shown once', async () => {
  await open();
  server.silent = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  write('Hello');
  for (const sends of [1, 2]) {
    await waitFor(() => expect(asked('send_message')).toHaveLength(sends));
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.advanceTimersByTimeAsync(3_000);
  }
  await waitFor(() => expect(states()).toEqual(['Sent']));
  vi.useRealTimers();
  expect(server.calls).toContain('POST /messages');
  expect(server.messages).toHaveLength(1);
  expect(new Set(asked('send_message').map((ask) => (ask as { clientId: string }).clientId))).toEqual(
    new Set([server.messages[0]?.clientId]),
  );
});

test('an expired token is replaced, and the conversation of the previous visitor disappears', async () => {
  await open();
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  server.forget();
  server.token = 'another';
  server.io.of('/visitor').disconnectSockets(true);
  await waitFor(() => expect(said()).toEqual(['Hello!']));
  expect(server.calls.filter((call) => call === 'POST /session')).toHaveLength(2);
  await waitFor(() => expect(find('.lost').hidden).toBe(true));
  write('Hello again');
  await waitFor(() => expect(states()).toEqual(['Sent']));
});

test('after a conversation has ended, the next one starts below it', async () => {
  await open();
  write('First');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  server.close();
  await waitFor(() => expect(texts('.note .text')).toHaveLength(1));
  write('Second');
  await waitFor(() => expect(server.messages.map(({ chatId }) => chatId)).toHaveLength(3));
  await waitFor(() => expect(states()).toEqual(['Sent', 'Sent']));
  expect(new Set(server.messages.map(({ chatId }) => chatId)).size).toBe(2);
  expect(said()).toEqual(['Hello!', 'First', 'Second']);
});

test('a conversation deleted by the team disappears', async () => {
  await open();
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  const chatId = server.messages[0]?.chatId;
  server.forget();
  server.io.of('/visitor').emit('chat_deleted', { chatId });
  await waitFor(() => expect(said()).toEqual(['Hello!']));
});

test('the answering agent, the availability and the appearance update live', async () => {
  await open();
  const visitors = server.io.of('/visitor');
  expect(texts('.status')).toEqual(['We are online']);
  write('Hello');
  await waitFor(() => expect(states()).toEqual(['Sent']));
  visitors.emit('availability', { online: false });
  await waitFor(() => expect(texts('.offline')).toEqual(['Nobody is there.']));
  server.claim({ name: 'Ana', avatar: null });
  await waitFor(() => expect(texts('.status')).toEqual(['Talking with Ana']));
  const customization = { ...server.config.customization, navbarTitle: 'Ask us', position: 'left' };
  visitors.emit('config_changed', { config: { ...server.config, buttonText: 'Chat', customization } });
  await waitFor(() => expect(texts('.title')).toEqual(['Ask us']));
  expect(texts('.label')).toEqual(['Chat']);
  expect(find('.stage').className).toContain('left');
});

test('a widget that is switched off leaves the page at once', async () => {
  await open();
  server.io.of('/visitor').emit('session_ended', { reason: 'widget_disabled' });
  await waitFor(() => expect(document.querySelector('parley-widget')).toBeNull());
});

test('opening focuses the text field, Escape returns the focus, and key events stay in the widget', async () => {
  const button = document.createElement('button');
  document.body.append(button);
  button.focus();
  const shortcut = vi.fn();
  document.addEventListener('keydown', shortcut);
  await open();
  const root = find('.panel').getRootNode() as ShadowRoot;
  expect(root.activeElement).toBe(find('textarea'));
  find('textarea').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
  await waitFor(() => expect(find('.panel').hidden).toBe(true));
  expect(document.activeElement).toBe(button);
  expect(shortcut).not.toHaveBeenCalled();
  document.removeEventListener('keydown', shortcut);
  button.remove();
});
