import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exemptOwnPages, resumePage } from './widgetPages.ts';

const app = express();
let dist: string;

beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'parley-resume-'));
  await mkdir(path.join(dist, 'resume'));
  await writeFile(path.join(dist, 'resume/index.html'), '<title>Your chat</title>');
  await writeFile(path.join(dist, 'resume/resume.js'), 'start()');
  app.use(resumePage(dist));
});
afterAll(() => rm(dist, { recursive: true, force: true }));

test('the page of a mailed link is hidden from search engines and sends no referrer', async () => {
  const page = await request(app).get(`/c/${'a'.repeat(24)}`);
  expect(page.text).toBe('<title>Your chat</title>');
  expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
  expect((await request(app).get('/c/resume.js')).text).toBe('start()');
  expect((await request(app).get('/c/other/page')).status).toBe(404);
});

describe("which origin counts as the server's own", () => {
  const originLeft = (publicUrl: string | null, headers: Record<string, string>) => {
    exemptOwnPages(publicUrl)({ headers } as never, {} as never, () => undefined);
    return headers.origin;
  };

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://192.168.1.9:3000'])(
    '%s counts without PUBLIC_URL when it is requested',
    (origin) => {
      expect(originLeft(null, { origin, host: new URL(origin).host })).toBeUndefined();
      expect(originLeft(null, { origin, host: 'shop.example.com' })).toBe(origin);
    },
  );

  test('a foreign host name that points to this machine does not count without PUBLIC_URL', () => {
    const origin = 'http://evil.example';
    expect(originLeft(null, { origin, host: 'evil.example' })).toBe(origin);
    expect(originLeft(null, { origin: 'null', host: 'null' })).toBe('null');
  });

  test('only PUBLIC_URL counts when it is set', () => {
    const origin = 'https://chat.example.com';
    expect(originLeft(origin, { origin, host: 'chat.example.com' })).toBeUndefined();
    expect(originLeft(origin, { origin: 'http://localhost', host: 'localhost' })).toBe('http://localhost');
  });
});

test('without a built widget there is no such page', async () => {
  const bare = express().use(resumePage(path.join(dist, 'nowhere')));
  expect((await request(bare).get(`/c/${'a'.repeat(24)}`)).status).toBe(404);
});
