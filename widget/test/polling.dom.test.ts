import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { VisitorPoll } from 'server/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { pollingOf } from '../src/live/polling.ts';
import { createSocketClient, type SocketClient } from '../src/live/protocol.ts';
import { waitFor } from './wait.ts';

const running: Server[] = [];
const clients: SocketClient[] = [];

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.close();
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Answer {
  status: number;
  body: object;
}

const success = (data: object): Answer => ({ status: 200, body: { success: true, data } });
const failure = (status: number, code: string): Answer => ({ status, body: { success: false, code, message: '' } });
const polled = (answer: Partial<VisitorPoll>) => success({ at: 'a', missed: false, events: [], ...answer });

/** A server with the two calls. A poll waits for its answer; a request is answered with itself. */
async function serve() {
  /** Answers for polls that wait. */
  const waiting: ((answer: Answer) => void)[] = [];
  /** The `at` of each poll. */
  const polls: (string | undefined)[] = [];
  const tokens = new Set<string | undefined>();
  const state = { givenUp: 0 };
  const server = createServer(async (asked, answer) => {
    answer.setHeader('Access-Control-Allow-Origin', '*');
    answer.setHeader('Access-Control-Allow-Headers', 'Authorization');
    if (asked.method === 'OPTIONS') return void answer.end();
    const body = JSON.parse(await text(asked));
    tokens.add(asked.headers.authorization);
    if (asked.url === '/requests') return give(body.event === 'refused' ? failure(403, 'BLOCKED') : success(body));
    polls.push(body.at);
    waiting.push(give);
    answer.once('close', () => answer.writableEnded || state.givenUp++);
    function give({ status, body }: Answer): void {
      answer.writeHead(status).end(JSON.stringify(body));
    }
  });
  running.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    polls,
    tokens,
    /** The number of polls that the client has given up. */
    givenUp: () => state.givenUp,
    /** Answers the poll that waits, or the next one. */
    async answer(answer: Answer) {
      await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
      waiting.shift()?.(answer);
    },
  };
}

/** A WebSocket as on a page that forbids it. */
class Forbidden {
  constructor() {
    throw new Error('forbidden');
  }
}

/** Connects a client in a page with these WebSockets. */
function connect(origin: string, WebSocket: unknown = Forbidden) {
  vi.stubGlobal('WebSocket', WebSocket);
  const heard: [string, unknown][] = [];
  const refused: string[] = [];
  const state = { connects: 0, lost: 0, prefersPolling: false };
  const client = createSocketClient({
    origin,
    fallback: async () => pollingOf({ origin, code: 'w', api: origin }),
    prefersPolling: () => state.prefersPolling,
    auth: () => ({ visitorToken: 'secret' }),
    onConnect(unanswered) {
      state.connects++;
      state.prefersPolling ||= unanswered;
    },
    onDisconnect: () => state.lost++,
    onRefused: (message) => refused.push(message),
    onEvent: (name, payload) => heard.push([name, payload]),
  });
  clients.push(client);
  client.connect();
  return { client, heard, refused, state };
}

test('polls with what it learnt, passes events on, and sends requests', async () => {
  const { origin, polls, tokens, answer } = await serve();
  const { client, heard, state } = connect(origin);
  await answer(polled({ at: 'first', missed: true, events: [['availability', { online: true }]] }));
  await waitFor(() => expect(client.isConnected()).toBe(true));
  expect(heard).toEqual([['availability', { online: true }]]);
  const asks = ['a', 'b'].map((content) => client.request('echo', { content }));
  expect(await Promise.all(asks)).toEqual([
    { ok: true, event: 'echo', ask: { content: 'a' } },
    { ok: true, event: 'echo', ask: { content: 'b' } },
  ]);
  expect(await client.request('refused', {})).toMatchObject({ ok: false, code: 'BLOCKED', retryable: false });
  await answer(polled({ at: 'second', events: [['chat_closed', { chatId: 'x' }]] }));
  await waitFor(() => expect(heard).toContainEqual(['chat_closed', { chatId: 'x' }]));
  expect(state.connects).toBe(1);
  // What was missed is found as after a reconnection.
  await answer(polled({ at: 'third', missed: true }));
  await waitFor(() => expect(state.connects).toBe(2));
  await waitFor(() => expect(polls).toEqual([undefined, 'first', 'second', 'third']));
  expect(tokens).toEqual(new Set(['Bearer secret']));
});

test('connects again when a server is gone', async () => {
  const { origin, answer, polls } = await serve();
  const { client, state } = connect(origin);
  await answer(polled({ missed: true }));
  await answer(failure(503, 'UNAVAILABLE'));
  await waitFor(() => expect(state.lost).toBe(1));
  await answer(polled({ missed: true }));
  await waitFor(() => expect(client.isConnected()).toBe(true));
  expect(polls.slice(0, 3)).toEqual([undefined, 'a', undefined]);
});

test('says why it was refused', async () => {
  const { origin, answer } = await serve();
  const { refused } = connect(origin);
  await answer(failure(401, 'UNAUTHORIZED'));
  await waitFor(() => expect(refused).toEqual(['UNAUTHORIZED']));
  await answer(failure(403, 'WIDGET_DISABLED'));
  await waitFor(() => expect(refused).toEqual(['UNAUTHORIZED', 'WIDGET_DISABLED']));
});

test('a closed client leaves no poll open', async () => {
  const { origin, answer, polls, givenUp } = await serve();
  const { client } = connect(origin);
  await answer(polled({ missed: true }));
  await waitFor(() => expect(polls).toHaveLength(2));
  client.close();
  await waitFor(() => expect(givenUp()).toBe(1));
  expect(client.isConnected()).toBe(false);
});

test('does not wait again for WebSockets that were not answered', async () => {
  const { origin, answer } = await serve();
  const dialled = vi.fn();
  class Silent {
    static OPEN = 1;
    readyState = 0;
    constructor() {
      dialled();
    }
    send() {}
    close() {}
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client, state } = connect(origin, Silent);
  await vi.advanceTimersByTimeAsync(6_000);
  vi.useRealTimers();
  await answer(polled({ missed: true }));
  await waitFor(() => expect(state.prefersPolling).toBe(true));
  await answer(failure(503, 'UNAVAILABLE'));
  await waitFor(() => expect(state.lost).toBe(1));
  await answer(polled({ missed: true }));
  await waitFor(() => expect(client.isConnected()).toBe(true));
  expect(dialled).toHaveBeenCalledTimes(1);
});
