import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message, VisitorChat } from 'server/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueMessage, retryFailed } from '../src/chat/outbox.ts';
import { createStorage, OUTBOX, type OutgoingMessage } from '../src/chat/storage.ts';
import { call } from '../src/http.ts';
import { createLock } from '../src/live/lock.ts';
import { createOutboxSender, type OutboxSender, type SendAck } from '../src/live/outbox-sender.ts';

const DAY_MS = 24 * 3_600_000;
const FAILED: SendAck = { ok: false, code: 'TIMEOUT', message: '', retryable: true };
const SENT = { ok: true, message: {} as Message, chat: {} as VisitorChat } as const;

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-05-04T10:00:00Z') }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
});

type Answer = (message: OutgoingMessage) => SendAck | Promise<SendAck>;

/** An outbox and its sender, with the server's answers given, and a record of what was sent. */
function open(socket: Answer, http: Answer = () => FAILED, onSent = async () => {}) {
  const storage = createStorage('shop');
  const sent: string[] = [];
  const failures: string[] = [];
  const through = (way: string, answer: Answer) => async (body: OutgoingMessage) => {
    sent.push(`${way} ${body.content} ${body.clientId}`);
    return answer(body);
  };
  const outboxSender: OutboxSender = createOutboxSender({
    storage,
    lock: createLock('shop'),
    overSocket: through('socket', socket),
    overHttp: through('http', http),
    onSent,
    onFailed: ({ code }) => failures.push(code),
    random: () => 0,
  });
  storage.watch((key) => key.startsWith(OUTBOX) && outboxSender.send(), new AbortController().signal);
  const outbox = { add: (text: string) => queueMessage(storage, text), remove: storage.drop };
  const ways = () => sent.map((line) => line.split(' ').slice(0, 2).join(' '));
  return { outbox, outboxSender, storage, sent, ways, failures };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('a message is stored before it is sent, and until the server has it', async () => {
  const answers: ((ack: SendAck) => void)[] = [];
  const { outbox, storage } = open(() => new Promise((resolve) => answers.push(resolve)));
  outbox.add('Hello');
  expect(storage.outgoing()).toMatchObject([{ content: 'Hello', at: Date.now() }]);
  await settle();
  expect(storage.outgoing()).toHaveLength(1);
  answers[0]?.(SENT);
  await settle();
  expect(storage.outgoing()).toEqual([]);
});

test.each([
  [200, true],
  [401, true],
  [403, false],
  [404, false],
  [408, true],
  [413, false],
  [422, false],
  [425, true],
  [429, true],
  [502, true],
])('an answer of a proxy with status %s: may be sent again: %s', async (status, retryable) => {
  vi.useRealTimers();
  const proxy = createServer((_, response) => response.writeHead(status).end('<h1>No</h1>')).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  expect(await call(`http://127.0.0.1:${port}/`, {})).toMatchObject({ ok: false, status, retryable });
  proxy.close();
  expect(await call(`http://127.0.0.1:${port}/`, {})).toMatchObject({ ok: false, status: 0, retryable: true });
});

test('messages are sent one at a time and in order', async () => {
  const answers: ((ack: SendAck) => void)[] = [];
  const { outbox, ways } = open(() => new Promise((resolve) => answers.push(resolve)));
  const texts = ['one', 'two', 'three', 'four', 'five', 'six'];
  // All in one millisecond, as a page can write them.
  for (const text of texts) outbox.add(text);
  for (const index of texts.keys()) {
    await settle();
    expect(ways()).toEqual(texts.slice(0, index + 1).map((text) => `socket ${text}`));
    answers[index]?.(SENT);
  }
});

test('a message is tried twice over the socket, then over HTTP with growing delays, always with its id', async () => {
  const at: number[] = [];
  const from = Date.now();
  const fail = () => {
    at.push(Date.now() - from);
    return FAILED;
  };
  const { outbox, sent, ways } = open(fail, fail);
  outbox.add('Hello');
  await vi.advanceTimersByTimeAsync(90_000);
  expect(ways()).toEqual(['socket Hello', 'socket Hello', ...Array(6).fill('http Hello')]);
  expect(new Set(sent.map((line) => line.split(' ')[2])).size).toBe(1);
  expect(at).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000, 60_000, 90_000]);
});

test('a message that cannot be rendered is sent, and does not block the next ones', async () => {
  const { outbox, storage, ways } = open(
    () => SENT,
    () => FAILED,
    async () => {
      throw new RangeError('Incorrect locale information provided');
    },
  );
  outbox.add('one');
  outbox.add('two');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ways()).toEqual(['socket one', 'socket two']);
  expect(storage.outgoing()).toEqual([]);
});

test('a new connection is used at once', async () => {
  let up = false;
  const { outbox, outboxSender, storage } = open(() => (up ? SENT : FAILED));
  outbox.add('Hello');
  await vi.advanceTimersByTimeAsync(20_000);
  up = true;
  outboxSender.retryNow();
  await settle();
  expect(storage.outgoing()).toEqual([]);
});

test('waits as long as the server asks for', async () => {
  const { outbox, ways } = open(() => ({ ...FAILED, retryAfterMs: 9_000 }));
  outbox.add('Hello');
  await vi.advanceTimersByTimeAsync(8_999);
  expect(ways()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ways()).toHaveLength(2);
});

test('a permanently refused message stays with its reason and does not block the next', async () => {
  const refusal: SendAck = { ok: false, code: 'VALIDATION', message: 'That is too long.', retryable: false };
  const { outbox, storage, failures } = open(({ content }) => (content === 'bad' ? refusal : SENT));
  outbox.add('bad');
  vi.setSystemTime(Date.now() + 1);
  outbox.add('good');
  await settle();
  expect(storage.outgoing()).toMatchObject([{ content: 'bad', failed: { message: 'That is too long.' } }]);
  expect(failures).toEqual(['VALIDATION']);
});

test('a failed message can be retried with its id, or deleted', async () => {
  let refuse = true;
  const { outbox, storage, sent } = open(() => (refuse ? { ...FAILED, retryable: false } : SENT));
  outbox.add('Hello');
  await settle();
  const [first] = storage.outgoing();
  refuse = false;
  retryFailed(storage, first?.clientId ?? '');
  await settle();
  expect(storage.outgoing()).toEqual([]);
  expect(sent[1]).toBe(sent[0]);

  refuse = true;
  outbox.add('Never mind');
  await settle();
  outbox.remove(storage.outgoing()[0]?.clientId ?? '');
  expect(storage.outgoing()).toEqual([]);
});

test('an id that the server knows with a different text is not used again', async () => {
  const conflict: SendAck = { ok: false, code: 'ID_CONFLICT', message: 'This id was used.', retryable: false };
  const { outbox, storage, sent } = open(() => (sent.length === 1 ? conflict : SENT));
  outbox.add('Hello');
  await settle();
  retryFailed(storage, storage.outgoing()[0]?.clientId ?? '');
  await settle();
  expect(storage.outgoing()).toEqual([]);
  expect(sent[1]?.split(' ')[2]).not.toBe(sent[0]?.split(' ')[2]);
});

test('the next page continues where the last one was closed', async () => {
  const before = open(() => new Promise(() => {}));
  before.outbox.add('Hello');
  await settle();
  before.outboxSender.stop();

  const after = open(() => SENT);
  after.outboxSender.retryNow();
  await settle();
  expect(after.sent).toEqual(before.sent);
  expect(after.storage.outgoing()).toEqual([]);
});

test('gives up after a day, and shows it', async () => {
  const { outbox, storage } = open(() => FAILED);
  outbox.add('Hello');
  await vi.advanceTimersByTimeAsync(DAY_MS + 60_000);
  expect(storage.outgoing()).toMatchObject([{ failed: { code: 'EXPIRED' } }]);
});

test('a message is sent without browser storage', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  const { outbox, storage, ways } = open(() => SENT);
  outbox.add('Hello');
  expect(storage.outgoing()).toHaveLength(1);
  await settle();
  expect(ways()).toEqual(['socket Hello']);
  expect(storage.outgoing()).toEqual([]);
});
