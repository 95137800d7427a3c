import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MIN_MS } from 'server/contract';
import { Server, type ServerOptions } from 'socket.io';
import { afterEach, expect, test, vi } from 'vitest';
import { createSocketClient, type SocketClient } from '../src/live/protocol.ts';
import { waitFor } from './wait.ts';

const running: Server[] = [];
const clients: SocketClient[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.close();
  for (const io of running.splice(0)) await io.close();
});

/** A real Socket.IO server, with one namespace that accepts the token 'good'. */
async function serve(options: Partial<ServerOptions> = {}, port = 0) {
  const http = createServer();
  const io = new Server(http, options);
  running.push(io);
  const visitors = io.of('/visitor');
  visitors.use(({ handshake }, next) => next(handshake.auth.token === 'good' ? undefined : new Error('UNAUTHORIZED')));
  visitors.on('connection', (socket) => {
    socket.on('echo', (ask, ack) => ack({ ok: true, ask }));
  });
  await once(http.listen(port, '127.0.0.1'), 'listening');
  return { io, visitors, port: (http.address() as AddressInfo).port };
}

function connect(port: number, token = 'good') {
  const heard: [string, unknown][] = [];
  const refused: string[] = [];
  const state = { token, lost: 0 };
  const client = createSocketClient({
    origin: `http://127.0.0.1:${port}`,
    fallback: () => Promise.reject(new Error('WebSockets work here')),
    prefersPolling: () => false,
    auth: () => ({ token: state.token }),
    onConnect() {},
    onDisconnect: () => {
      state.lost++;
    },
    onRefused: (message) => refused.push(message),
    onEvent: (name, payload) => heard.push([name, payload]),
  });
  clients.push(client);
  client.connect();
  return { client, heard, refused, state };
}

const connected = (client: SocketClient) => waitFor(() => expect(client.isConnected()).toBe(true));

test('requests, answers and events work over a WebSocket', async () => {
  const { visitors, port } = await serve();
  const { client, heard } = connect(port);
  await connected(client);
  expect(await client.request('echo', { text: 'naïve ✓ 한국' })).toEqual({ ok: true, ask: { text: 'naïve ✓ 한국' } });
  visitors.emit('availability', { online: true });
  await waitFor(() => expect(heard).toEqual([['availability', { online: true }]]));
  const [socket] = await visitors.fetchSockets();
  expect(visitors.sockets.get(socket?.id ?? '')?.conn.transport.name).toBe('websocket');
});

test('reports why it was refused, and connects with a valid token afterwards', async () => {
  const { port } = await serve();
  const { client, refused, state } = connect(port, 'dead');
  await waitFor(() => expect(refused).toEqual(['UNAUTHORIZED']));
  state.token = 'good';
  client.connect();
  await connected(client);
});

test('reconnects after a server restart', async () => {
  const first = await serve();
  const { client, state } = connect(first.port);
  await connected(client);
  await first.io.close();
  await waitFor(() => expect(state.lost).toBeGreaterThan(0));
  expect(await client.request('echo', {})).toMatchObject({ ok: false, code: 'OFFLINE', retryable: true });
  await serve({}, first.port);
  await connected(client);
  expect(await client.request('echo', { text: 'again' })).toMatchObject({ ok: true });
});

test('waits longer before each new connection until the server has sent something over one', async () => {
  const { visitors, port } = await serve();
  const delays: number[] = [];
  const { setTimeout } = globalThis;
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number, ...args: []) => {
    const isDelay = ms >= SOCKET_RECONNECT_MIN_MS && ms < SOCKET_RECONNECT_MAX_MS;
    if (isDelay) delays.push(ms);
    return setTimeout(run, isDelay ? 1 : ms, ...args);
  }) as typeof setTimeout);
  let isOverloaded = true;
  visitors.on('connection', (socket) => {
    if (isOverloaded) socket.disconnect(true);
  });
  const { client } = connect(port);
  await waitFor(() => expect(delays.slice(0, 3)).toEqual([1_000, 2_000, 4_000]));
  isOverloaded = false;
  await connected(client);
  await waitFor(async () => expect(await client.request('echo', {})).toMatchObject({ ok: true }));
  delays.length = 0;
  visitors.disconnectSockets(true);
  await waitFor(() => expect(delays).toEqual([1_000]));
});

test('fails a request when the connection ends or times out', async () => {
  const { visitors, port } = await serve();
  const { client } = connect(port);
  await connected(client);
  const asked = vi.fn();
  for (const socket of visitors.sockets.values()) socket.onAny(asked);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const slow = client.request('nobody_answers', {});
  vi.advanceTimersByTime(5_000);
  expect(await slow).toMatchObject({ ok: false, code: 'TIMEOUT', retryable: true });
  vi.useRealTimers();

  const cut = client.request('nobody_answers', {});
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  visitors.disconnectSockets(true);
  expect(await cut).toMatchObject({ ok: false, code: 'OFFLINE', retryable: true });
});

test('answers heartbeats', async () => {
  const { io, port } = await serve({ pingInterval: 20, pingTimeout: 2_000 });
  let beats = 0;
  io.engine.on('connection', (raw) => raw.on('heartbeat', () => beats++));
  await connected(connect(port).client);
  await waitFor(() => expect(beats).toBeGreaterThan(2));
});

test('drops a silent connection', async () => {
  const { io, port } = await serve({ pingInterval: 30, pingTimeout: 30 });
  // As after sleep: the connection is open, but nothing arrives, and nobody closes it.
  io.engine.on('connection', (raw) => {
    clearTimeout(raw.pingIntervalTimer);
  });
  const { client, state } = connect(port);
  await connected(client);
  await waitFor(() => expect(state.lost).toBeGreaterThan(0));
});

test('ignores invalid frames and continues', async () => {
  const { io, port } = await serve();
  const raws: { write(data: string): void }[] = [];
  io.engine.on('connection', (raw) => raws.push(raw));
  const { client, heard } = connect(port);
  await connected(client);
  const frames = [
    '',
    '9',
    '2',
    '2/visitor,',
    '2/visitor,{',
    '2/visitor,[]',
    '2/visitor,[7]',
    '2/visitor,"x"',
    '2/other,["x",1]',
  ];
  for (const frame of [...frames, '3/visitor,', '3/visitor,99[{"ok":true}]', '3/visitor,99', '5/visitor,1-["x"]'])
    raws[0]?.write(frame);
  expect(await client.request('echo', { text: 'still here' })).toMatchObject({ ok: true });
  expect(heard).toEqual([]);
});
