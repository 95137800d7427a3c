import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, signUp, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { widgetFiles } from './widget.ts';

/** Of one answer, the status line and the empty one at the end included. */
const HEADERS_MAX_BYTES = 350;
const ENDING = '\r\n\r\n';
/** What of a page's headers answers of the widget do without. */
const OF_PAGES =
  /^(content-security-policy|x-frame-options|referrer-policy|origin-agent-cluster|x-request-id|connection)/im;

let server: TestServer;
let code: string;
let token: string;

beforeAll(async () => {
  server = await sharedServer();
  const site = await createSite(server.api, (await signUp(server.api)).token);
  code = site.widgetCode;
  token = (await visit(server.api, site)).visitorToken;
});
afterAll(() => server.stop());

interface Ask {
  headers?: Record<string, string>;
  body?: object;
}

/** The status line and headers of an answer as they come over the wire. */
async function headOf(request: string, { headers = {}, body }: Ask = {}): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const json = body && JSON.stringify(body);
  const all = {
    Host: 'chat.example.com',
    Origin: 'https://shop.example.com',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    ...(json && { 'Content-Type': 'text/plain;charset=UTF-8', 'Content-Length': String(json.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${request} HTTP/1.1\r\n${lines.join('\r\n')}${ENDING}${json ?? ''}`);
  let heard = '';
  while (!heard.includes(ENDING)) heard += String((await once(socket, 'data'))[0]);
  socket.destroy();
  return heard.slice(0, heard.indexOf(ENDING) + ENDING.length);
}

/** A script that another one of the build names. */
async function named(script: string, pattern: RegExp): Promise<string> {
  const text = await (await fetch(server.url + script)).text();
  return `/widget/${text.match(pattern)?.[1]}`;
}

test('the answers to the widget have no unnecessary headers', async () => {
  const chat = await named('/widget.js', /widget\/(chat-\w+\.js)/);
  const folder = await named(chat, /widget\/(\w+)\//);
  const api = `/api/widget/${code}`;
  const bearer = { Authorization: `Bearer ${token}` };
  const message = { clientId: randomUUID(), content: 'Is it blue?' };
  const asks: [status: number, request: string, ask?: Ask][] = [
    [200, 'GET /widget.js'],
    [200, 'GET /widget/shims/crisp.js'],
    [200, `GET ${chat}`],
    [200, `GET ${folder}/live.js`],
    [200, `GET ${folder}/de.js`],
    [200, `GET ${api}?v=1`],
    [200, `POST ${api}/session`, { body: { page: { url: 'https://shop.example.com/', title: 'Shop' } } }],
    [201, `POST ${api}/messages`, { body: message, headers: bearer }],
    [204, `OPTIONS ${api}/messages`, { headers: { 'Access-Control-Request-Method': 'POST' } }],
    [404, 'GET /api/widget/nobody'],
    [401, `POST ${api}/messages`, { body: message }],
    [422, `POST ${api}/messages`, { body: {}, headers: bearer }],
  ];
  for (const [status, request, ask] of asks) {
    const head = await headOf(request, ask);
    expect(head, request).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.length, head).toBeLessThanOrEqual(HEADERS_MAX_BYTES);
    expect(head, request).toMatch(/^X-Content-Type-Options: nosniff\r$/im);
    expect(head, request).toMatch(/^Access-Control-Allow-Origin: \*\r$/im);
    expect(head).not.toMatch(OF_PAGES);
  }
  for (const script of [chat, `${folder}/live.js`]) {
    const head = await headOf(`GET ${script}`);
    expect(head).toMatch(/^Cache-Control: max-age=31536000, immutable\r$/m);
    expect(head).toMatch(/^Content-Encoding: br\r$/m);
  }
});

test.each(['/widget.js', '/widget/shims/crisp.js', () => `/api/widget/${code}`])(
  '%s is answered with 304 when it has not changed',
  async (address) => {
    const path = typeof address === 'string' ? address : address();
    const [, etag = ''] = (await headOf(`GET ${path}`)).match(/^ETag: (.+)\r$/m) ?? [];
    const head = await headOf(`GET ${path}`, { headers: { 'If-None-Match': etag } });
    expect(head).toMatch(/^HTTP\/1.1 304 /);
    expect(head).toMatch(/^Access-Control-Allow-Origin: \*\r$/m);
  },
);

test('the connection stays open for the next request, unless the client closes it', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  for (const connection of ['keep-alive', 'close']) {
    socket.write(`GET /api/widget/nobody HTTP/1.1\r\nHost: a\r\nConnection: ${connection}${ENDING}`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 404 /);
  }
  await once(socket, 'close');
});

test("a page below the widget's folder is served with all security headers", async () => {
  for (const path of ['/widget/preview/index.html', '/widget/nothing', '/WIDGET/chat-none']) {
    const { headers } = await fetch(server.url + path, { headers: { Accept: 'text/html' } });
    expect(headers.get('content-security-policy'), path).toContain("default-src 'self'");
  }
});

test('a new build under a running server does not break pages with the old widget', async () => {
  const dist = await mkdtemp(path.join(tmpdir(), 'parley-dist-'));
  await writeFile(path.join(dist, 'widget.js'), '1');
  await writeFile(path.join(dist, 'chat-1.js'), '2');
  const listening = express().use(widgetFiles(dist)).listen(0);
  const url = `http://localhost:${(listening.address() as AddressInfo).port}`;
  await rm(dist, { recursive: true });
  expect(await (await fetch(`${url}/widget/chat-1.js`)).text()).toBe('2');
  expect(await (await fetch(`${url}/widget.js`)).text()).toBe('1');
  listening.close();
});
