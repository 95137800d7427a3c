import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedServer, type TestServer } from '#test/harness';
import { dashboard } from './pages.ts';

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.stop());

test.each(['/', '/dashboard/inbox', '/no/such.page', '/index.html'])(
  '%s serves the dashboard with a strict content security policy',
  async (path) => {
    const page = await fetch(server.url + path, { headers: { Accept: 'text/html' } });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const [, nonce] = policy.match(/'nonce-([^']+)'/) ?? [];
    expect(html).toContain(`content="${nonce}"`);
  },
);

test('/api redirects browsers to its documentation, and answers programs with a 404', async () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const page = await fetch(`${server.url}/api`, { headers: browser, redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([302, '/docs?tab=api-endpoints']);
  for (const headers of [{}, { Accept: 'application/json' }] as Record<string, string>[]) {
    const answer = await fetch(`${server.url}/api`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'CALL_NOT_FOUND' });
  }
});

test('trailing slashes are ignored, and too many are refused', async () => {
  const ask = (path: string) => fetch(server.url + path, { headers: { Accept: 'text/html' } });
  expect(await (await ask(`/privacy${'/'.repeat(900)}`)).text()).toMatch(/<title>Privacy/);
  expect((await ask(`/${'/'.repeat(15_000)}x`)).status).toBe(414);
});

test('a public page is pre-rendered, an address below it is not', async () => {
  const read = async (path: string) => (await fetch(server.url + path, { headers: { Accept: 'text/html' } })).text();
  for (const path of ['/privacy', '/privacy/']) expect(await read(path)).toMatch(/<title>Privacy .*<h1[^>]*>Privacy</s);
  expect(await read('/')).toContain('data-pre');
  expect(await read('/')).not.toContain('__PUBLIC_URL__');
  expect(await read('/privacy/more')).not.toContain('data-pre');
});

test('the widget can be loaded by pages of any origin, compressed, and is cached briefly', async () => {
  const loader = await fetch(`${server.url}/widget.js`, { headers: { 'Accept-Encoding': 'br' } });
  expect(loader.status).toBe(200);
  expect(loader.headers.get('content-encoding')).toBe('br');
  expect(loader.headers.get('access-control-allow-origin')).toBe('*');
  expect(loader.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(loader.headers.get('cache-control')).toMatch(/max-age=\d{1,3}$/);
});

test('the type definitions of the JavaScript API are served', async () => {
  const types = await fetch(`${server.url}/parley.d.ts`);
  expect(types.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await types.text()).toContain('interface ParleyApi');
});

test('every widget has a test page that search engines ignore', async () => {
  const page = await fetch(`${server.url}/test/w-Some_code12`);
  expect(page.status).toBe(200);
  expect(page.headers.get('x-robots-tag')).toBe('noindex');
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const html = await page.text();
  expect(html).toContain('<script src="/widget.js" data-site-id="w-Some_code12" async></script>');
  expect(html).not.toMatch(/<style|style=|<script>/);
  expect((await fetch(`${server.url}/test/test.css`)).headers.get('content-type')).toContain('text/css');
  const odd = await fetch(`${server.url}/test/${encodeURIComponent('"><script>')}`, {
    headers: { Accept: 'text/html' },
  });
  expect(await odd.text()).not.toContain('data-site-id');
});

test('a missing file is a 404, not the dashboard', async () => {
  for (const path of ['/widget/chat-none.js', '/assets/none.js', '/robots.txt'])
    expect((await fetch(server.url + path)).status).toBe(404);
});

test("no header reveals the server's software", async () => {
  const answer = await fetch(`${server.url}/healthz`);
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a file removed by a new build fails without affecting the others', async () => {
  const dist = await mkdtemp(path.join(tmpdir(), 'parley-dist-'));
  for (const name of ['index.html', '1.js', '2.js']) await writeFile(path.join(dist, name), name);
  const listening = express().use(dashboard(dist, null)).listen(0);
  const url = `http://localhost:${(listening.address() as AddressInfo).port}`;
  await rm(path.join(dist, '1.js'));
  await expect(fetch(`${url}/1.js`).then((answer) => answer.text())).rejects.toThrow();
  expect(await (await fetch(`${url}/2.js`)).text()).toBe('2.js');
  listening.close();
  await rm(dist, { recursive: true });
});
