import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeIdleConnections, createHttpServer, listen, whenClosed } from './server.ts';

let server: Server;

beforeAll(async () => {
  const soon = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };
  server = createHttpServer((req, res) => void req.resume().on('end', () => res.end('fine')), soon);
  await listening(server);
});
afterAll(() => {
  server.close();
});

async function listening(one: Server): Promise<void> {
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
}

const reach = (one: Server) => connect((one.address() as AddressInfo).port, '127.0.0.1');

async function answerTo(sent: string): Promise<string> {
  const socket = reach(server);
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    heard += chunk;
  });
  socket.write(sent);
  await once(socket, 'close');
  return heard;
}

test.each([
  ['says nothing', ''],
  ['never ends its headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['never sends the body it announces', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc'],
])('a connection that %s is closed with a timeout', async (_what, sent) => {
  expect(await answerTo(sent)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a complete request is answered', async () => {
  expect(await answerTo('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toContain('200 OK');
});

/** More than the buffers of two sockets hold. */
const LARGE = Buffer.alloc(16 * 2 ** 20);

test('an answer that nobody reads is cut off, and so are those behind it', async () => {
  const closed: string[] = [];
  const impatient = createHttpServer(
    (req, res) => {
      whenClosed(res, () => closed.push(req.url ?? ''));
      res.end(LARGE);
    },
    { unreadMaxMs: 50 },
  );
  await listening(impatient);
  const silent = reach(impatient).pause();
  for (const path of ['/1', '/2', '/3']) silent.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await expect.poll(() => closed.toSorted()).toEqual(['/1', '/2', '/3']);
  silent.destroy();
  impatient.close();
});

test('an answer that is made slowly is not cut off', async () => {
  const impatient = createHttpServer((_req, res) => void setTimeout(() => res.end('fine'), 100), { unreadMaxMs: 20 });
  await listening(impatient);
  const { port } = impatient.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } })).text()).toBe('fine');
  impatient.close();
});

test('an answer that is read slowly is not cut off', async () => {
  const impatient = createHttpServer((_req, res) => void res.end(LARGE), { unreadMaxMs: 2_000 });
  await listening(impatient);
  const slow = reach(impatient);
  slow.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let read = 0;
  slow.on('data', ({ length }) => {
    read += length;
    slow.pause();
    setTimeout(() => slow.resume(), 8);
  });
  await once(slow, 'close');
  expect(read).toBeGreaterThan(LARGE.length);
  impatient.close();
});

test('errors of the listening server are reported each time, and do not stop it', async () => {
  const failed: string[] = [];
  const one = createHttpServer((_req, res) => void res.end('fine'));
  const port = await listen(one, { port: 0, host: '127.0.0.1' }, ({ message }) => void failed.push(message));
  expect(port).toBe((one.address() as AddressInfo).port);
  for (const message of ['too many open files', 'again']) one.emit('error', new Error(message));
  expect(failed).toEqual(['too many open files', 'again']);
  const second = createHttpServer(() => undefined);
  await expect(listen(second, { port, host: '127.0.0.1' }, () => undefined)).rejects.toThrow('EADDRINUSE');
  one.close();
});

test('stopping does not wait for connections without a request', async () => {
  const stopping = createHttpServer((_req, res) => void res.end('fine'));
  const stopWaiting = closeIdleConnections(stopping);
  await listening(stopping);
  const silent = reach(stopping);
  await once(stopping, 'connection');
  const closed = once(stopping, 'close');
  stopWaiting();
  stopping.close();
  await closed;
  silent.destroy();
});

test('stopping does not wait for idle keep-alive connections', async () => {
  let answer = () => {};
  const stopping = createHttpServer((_req, res) => {
    answer = () => res.end('fine');
  });
  const stopWaiting = closeIdleConnections(stopping);
  await listening(stopping);
  const kept = reach(stopping);
  kept.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n');
  await once(stopping, 'request');
  const closed = once(stopping, 'close');
  stopWaiting();
  stopping.close();
  answer();
  await closed;
  kept.destroy();
});
