import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#test/factories';
import { callsTo } from '#test/harness';
import { catalogue } from './endpoint/catalogue.ts';
import { anyone, endpoints } from './endpoint/endpoint.ts';
import { errorHandler } from './errorHandler.ts';
import { createLimits } from './limits/limits.ts';
import { createLog, requestLog } from './log.ts';
import { createHttpServer } from './server.ts';
import { boundUnread } from './unreadAnswers.ts';

/** More than the buffers of two sockets hold. */
const LARGE = 'x'.repeat(8 * 2 ** 20);
const FILE_BYTES = 1_000_000;

let server: Server;
let port: number;

beforeAll(async () => {
  const log = createLog('silent');
  const { router, on } = endpoints<{
    'GET /large': { data: object };
    'GET /small': { data: object };
    'GET /file': { data: never };
  }>();
  on('GET /large', { authenticate: anyone }, async () => ({ data: { text: LARGE } }));
  on('GET /small', { authenticate: anyone }, async () => ({ data: {} }));
  on('GET /file', { authenticate: anyone }, async () => ({
    file: [Buffer.alloc(FILE_BYTES)] as unknown as AsyncIterable<Uint8Array>,
    fileName: 'file.bin',
    headers: { 'Content-Length': String(FILE_BYTES) },
  }));
  for (const name of ['large', 'small', 'file']) catalogue.calls.delete(`GET /${name}`);
  const limits = createLimits({ on: true, changed: { unreadBytesPerIp: LARGE.length + 100_000 } });
  const api = express.Router().use(boundUnread(limits), router);
  server = createHttpServer(express().use(requestLog(log)).use('/api', api).use(errorHandler(log)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

test('an address that does not read its answers gets no more large ones until it is gone', async () => {
  const ask = async (path: string) => {
    const { status, headers } = await callsTo(`http://127.0.0.1:${port}`)(`GET ${path}`);
    return [status, Number(headers['retry-after'] ?? 0) > 0];
  };
  expect(await ask('/large')).toEqual([200, false]);
  const silent = connect(port, '127.0.0.1').pause();
  const asked = once(server, 'request');
  // The answer behind the first is refused, and so is everything large on other connections.
  silent.write('GET /api/large HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
  await asked;
  expect(await ask('/large')).toEqual([429, true]);
  expect(await ask('/file')).toEqual([429, true]);
  expect(await ask('/small')).toEqual([200, false]);
  silent.destroy();
  await until(async () => (await ask('/file'))[0] === 200);
  await until(async () => (await ask('/large'))[0] === 200);
});
