import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import compression from 'compression';
import express from 'express';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { errorHandler } from '../errorHandler.ts';
import { createLog, requestLog } from '../log.ts';
import { boundedAddress } from '../security.ts';
import { catalogue } from './catalogue.ts';
import { anyone, type Download, endpoints } from './endpoint.ts';

const SECRET = 'a message that somebody wrote';
let made: string[];
let lines: string[];

beforeEach(() => {
  made = [];
  lines = [];
});

/** An application with one call that answers this file: by default one of two pieces, after which it fails. */
function application(file: Pick<Download, 'file' | 'headers'> = { file: pieces() }) {
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const { router, on } = endpoints<{ 'GET /broken.txt': { data: never } }>();
  on('GET /broken.txt', { authenticate: anyone }, async () => ({ ...file, fileName: 'broken.txt' }));
  catalogue.calls.delete('GET /broken.txt');
  const app = express().use(requestLog(log)).use(boundedAddress).use(compression());
  return app.use('/api', router).use(errorHandler(log));
}

async function* pieces() {
  for (const piece of ['one', 'two']) {
    made.push(piece);
    yield piece;
    await wait();
  }
  throw Object.assign(new Error(`cannot cast ${SECRET}`), { name: 'CastError' });
}

test('an error in the middle of an answer aborts it, and is logged with the request id and without content', async () => {
  await expect(request(application()).get('/api/broken.txt')).rejects.toThrow('aborted');
  const [line = ''] = lines.filter((text) => text.includes('before the answer was complete'));
  expect(JSON.parse(line)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), err: { type: 'CastError' } });
  expect(lines.join()).not.toContain(SECRET);
});

/** A stream that is closed before its end, without an error. */
function closedEarly(): Readable {
  return new Readable({
    read() {
      if (this.readableDidRead) this.destroy();
      else this.push('x'.repeat(100_000));
    },
  });
}

test.each<[string, () => Pick<Download, 'file' | 'headers'>]>([
  ['fails', () => ({ file: pieces() })],
  ['is closed', () => ({ file: closedEarly() })],
  ['ends before its length', () => ({ file: Readable.from(['one']), headers: { 'Content-Length': '4' } })],
])('a download whose source %s is cut off', async (_how, broken) => {
  for (const encoding of ['gzip', 'identity']) {
    const app = application(broken());
    const read = request(app).get('/api/broken.txt').set('Accept-Encoding', encoding);
    await expect(read, encoding).rejects.toThrow('aborted');
  }
});

test('a HEAD request does not produce the body', async () => {
  const { status, headers } = await request(application()).head('/api/broken.txt');
  expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename=broken.txt']);
  expect([made, lines]).toEqual([[], []]);
});

test.each([
  ['slashes', `/${'/'.repeat(15_000)}x`],
  ['a long path', `/api/${'a'.repeat(1_100)}`],
  ['a long query', `/api/broken.txt?q=${'a'.repeat(9_000)}`],
])('an address of %s is refused before it is parsed', async (_what, address) => {
  const { status, body } = await request(application()).get(address);
  expect([status, body.code]).toEqual([414, 'ADDRESS_TOO_LONG']);
});
