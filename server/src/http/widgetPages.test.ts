import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetOwnOrigin, resumePage } from './widgetPages.ts';

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

test('a mailed link opens a page that no search engine lists and that tells nobody where one came from', async () => {
  const page = await request(app).get(`/c/${'a'.repeat(24)}`);
  expect(page.text).toBe('<title>Your chat</title>');
  expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
  expect((await request(app).get('/c/resume.js')).text).toBe('start()');
  expect((await request(app).get('/c/other/page')).status).toBe(404);
});

describe('which origin is the product’s own', () => {
  const originLeft = (publicUrl: string | null, headers: Record<string, string>) => {
    forgetOwnOrigin(publicUrl)({ headers } as never, {} as never, () => undefined);
    return headers.origin;
  };

  test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://192.168.1.9:3000'])(
    'without PUBLIC_URL %s is, when it is asked for',
    (origin) => {
      expect(originLeft(null, { origin, host: new URL(origin).host })).toBeUndefined();
      expect(originLeft(null, { origin, host: 'shop.example.com' })).toBe(origin);
    },
  );

  test('without PUBLIC_URL a name that somebody has pointed at this machine is not', () => {
    const origin = 'http://evil.example';
    expect(originLeft(null, { origin, host: 'evil.example' })).toBe(origin);
    expect(originLeft(null, { origin: 'null', host: 'null' })).toBe('null');
  });

  test('with PUBLIC_URL that one is, whatever host is asked', () => {
    const origin = 'https://chat.example.com';
    expect(originLeft(origin, { origin, host: 'chat.example.com' })).toBeUndefined();
    expect(originLeft(origin, { origin: 'http://localhost', host: 'localhost' })).toBe('http://localhost');
  });
});

test('where the widget is not built there is no such page', async () => {
  const bare = express().use(resumePage(path.join(dist, 'nowhere')));
  expect((await request(bare).get(`/c/${'a'.repeat(24)}`)).status).toBe(404);
});
