import { createStorage } from 'browser/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../lib/http.ts';
import { SocketError } from '../../../lib/socket.tsx';
import { localStore } from '../../../lib/storage.ts';
import type { Outgoing } from '../model/timeline.ts';
import { createOutbox, type Transport } from './outbox.ts';

const HOUR_MS = 60 * 60 * 1_000;

interface Try {
  item: Outgoing;
  via: 'socket' | 'http';
  succeed: () => void;
  fail: (error: Error) => void;
}

/** A transport whose tries wait until the test says how they end. */
function fakeTransport() {
  const tries: Try[] = [];
  const sent: string[] = [];
  const transport: Transport = (item, via) =>
    new Promise((resolve, reject) => {
      const succeed = () => {
        sent.push(item.content);
        resolve();
      };
      tries.push({ item, via, succeed, fail: reject });
    });
  /** The current try. */
  const current = () => {
    const last = tries.at(-1);
    if (!last) throw new Error('Nothing was tried');
    return last;
  };
  return { transport, tries, sent, current };
}

const refusing = () => {
  throw new DOMException('The operation is insecure', 'SecurityError');
};
const silence = () => new SocketError('TIMEOUT', 'The server took too long to answer.', true);
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('stores a message before anything else is told about it', () => {
  const outbox = createOutbox('ana', localStore);
  let stored: string | undefined;
  outbox.subscribe(() => {
    stored = Object.values(localStorage).join();
  });
  outbox.add('chat', 'Hello');
  expect(stored).toContain('Hello');
  expect(outbox.list('chat').map(({ content }) => content)).toEqual(['Hello']);
});

it.each([
  ['refuses locks', () => Promise.reject(new DOMException('blocked', 'SecurityError'))],
  [
    'has suspended the tab that holds the lock',
    (_: string, { signal }: LockOptions) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  ],
])('sends when the browser %s', async (_, request) => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: { request } }));
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await vi.advanceTimersByTimeAsync(60_000);
  fake.current().succeed();
  await settled();
  expect(fake.sent).toEqual(['Hello']);
  expect(outbox.list('chat')).toEqual([]);
});

it('sends one message at a time, in order, and removes acknowledged ones', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  for (const text of ['one', 'two', 'three']) outbox.add('chat', text);
  for (const text of ['one', 'two', 'three']) {
    await settled();
    expect(fake.current().item.content).toBe(text);
    fake.current().succeed();
  }
  await settled();
  expect(fake.tries).toHaveLength(3);
  expect(fake.sent).toEqual(['one', 'two', 'three']);
  expect(outbox.list('chat')).toEqual([]);
  expect(localStorage).toHaveLength(0);
});

it('sends chats independently of each other', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('first', 'one');
  outbox.add('second', 'two');
  await settled();
  expect(fake.tries.map(({ item }) => item.chatId)).toEqual(['first', 'second']);
});

it('falls back to HTTP after two unanswered tries, with the same id', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  for (let round = 0; round < 2; round += 1) {
    await settled();
    fake.current().fail(silence());
    await vi.advanceTimersByTimeAsync(2 * 2_000);
  }
  expect(fake.tries.map(({ via }) => via)).toEqual(['socket', 'socket', 'http']);
  expect(new Set(fake.tries.map(({ item }) => item.clientId)).size).toBe(1);
  fake.current().succeed();
  await settled();
  expect(outbox.list('chat')).toEqual([]);
});

it('sends a stored message after a reload', async () => {
  const before = createOutbox('ana', localStore);
  before.start(fakeTransport().transport);
  before.add('chat', 'Written before the reload');
  const [unsent] = before.list('chat');

  const fake = fakeTransport();
  const after = createOutbox('ana', localStore);
  expect(after.list('chat')).toEqual([unsent]);
  after.start(fake.transport);
  await settled();
  expect(fake.current().item).toEqual(unsent);
});

it('never shows or sends messages of another account', async () => {
  createOutbox('ana', localStore).add('chat', "Ana's own words");
  const fake = fakeTransport();
  const other = createOutbox('ben', localStore);
  other.start(fake.transport);
  await settled();
  expect(other.list('chat')).toEqual([]);
  expect(fake.tries).toEqual([]);
});

it('keeps a refused message with the reason, sends the next ones, and retries it with its old id', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'too late');
  outbox.add('chat', 'next');
  await settled();
  fake.current().fail(new SocketError('CHAT_CLOSED', 'This chat is closed.', false));
  await settled();
  expect(fake.current().item.content).toBe('next');
  fake.current().succeed();
  await settled();

  const [failed] = outbox.list('chat');
  expect(failed).toMatchObject({ content: 'too late', failed: 'This chat is closed.' });
  outbox.retry(failed?.clientId ?? '');
  await settled();
  expect(fake.current().item.clientId).toBe(failed?.clientId);
  fake.current().fail(new ApiError(409, { code: 'CHAT_CLOSED', message: 'This chat is closed.' }));
  await settled();
  outbox.remove(failed?.clientId ?? '');
  expect(outbox.list('chat')).toEqual([]);
});

it.each([
  ['the server cannot be reached', new ApiError(0, { code: 'NETWORK', message: '' })],
  ['the store stalls', new ApiError(503, { code: 'UNAVAILABLE', message: '' })],
  ['the session is over', new ApiError(401, { code: 'UNAUTHORIZED', message: '' })],
  ['the rate limit is reached', new ApiError(429, { code: 'RATE_LIMITED', message: '' })],
])('keeps retrying while %s', async (_, error) => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  for (let round = 1; round <= 8; round += 1) {
    await settled();
    expect(fake.tries).toHaveLength(round);
    fake.current().fail(error);
    await vi.advanceTimersByTimeAsync(37_500);
  }
  expect(outbox.list('chat')[0]?.failed).toBeNull();
});

it('retries at once when the connection is back', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await settled();
  fake.current().fail(silence());
  await settled();
  expect(fake.tries).toHaveLength(1);
  outbox.retryNow();
  await settled();
  expect(fake.tries).toHaveLength(2);
});

it('stops after a day and leaves the decision to the sender', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.add('chat', 'Hello');
  await vi.advanceTimersByTimeAsync(25 * HOUR_MS);
  outbox.start(fake.transport);
  await settled();
  expect(fake.tries).toEqual([]);
  expect(outbox.list('chat')[0]?.failed).toBe('It could not be sent for 24 hours.');
});

it('does not resend a message whose echo arrived although its answer was lost', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await settled();
  outbox.remove(fake.current().item.clientId);
  fake.current().fail(silence());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fake.tries).toHaveLength(1);
});

it('stops when the session ends and starts with the next one', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', localStore);
  const stop = outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await settled();
  stop();
  fake.current().fail(silence());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fake.tries).toHaveLength(1);
  outbox.start(fake.transport);
  await settled();
  expect(fake.tries).toHaveLength(2);
});

it('follows what another tab writes or sends', () => {
  const here = createOutbox('ana', localStore);
  const stop = here.start(fakeTransport().transport);
  const elsewhere = createOutbox('ana', localStore);
  elsewhere.add('chat', 'From the other tab');
  const [key] = Object.keys(localStorage);
  window.dispatchEvent(new StorageEvent('storage', { key: key ?? null }));
  expect(here.list('chat').map(({ content }) => content)).toEqual(['From the other tab']);
  stop();
});

it('sends although the browser refuses to store', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox('ana', createStorage(refusing));
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await settled();
  expect(fake.current().item.content).toBe('Hello');
});

it('does not retry a refused message for ever when storage is full', async () => {
  const fake = fakeTransport();
  const outbox = createOutbox(
    'ana',
    createStorage(() => localStorage),
  );
  outbox.start(fake.transport);
  outbox.add('chat', 'Hello');
  await settled();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  fake.current().fail(new SocketError('VALIDATION', 'Too long', false));
  await settled();
  expect(fake.tries).toHaveLength(1);
  expect(outbox.list('chat').map(({ failed }) => failed)).toEqual(['Too long']);
});

it('ignores stored entries that are not messages', () => {
  localStorage.setItem('parley_outbox:ana:x', '{"clientId":5}');
  localStorage.setItem('parley_outbox:ana:y', 'not JSON');
  expect(createOutbox('ana', localStore).list('chat')).toEqual([]);
});
