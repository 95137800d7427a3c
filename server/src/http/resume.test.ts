import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumePage } from './resume.ts';

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

test('where the widget is not built there is no such page', async () => {
  const bare = express().use(resumePage(path.join(dist, 'nowhere')));
  expect((await request(bare).get(`/c/${'a'.repeat(24)}`)).status).toBe(404);
});
