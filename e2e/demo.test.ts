import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiOf } from './harness/api.ts';

const DEMO = fileURLToPath(new URL('../scripts/demo/run.js', import.meta.url));

test('the demo opens a shop with the widget, shows how to sign in, and deletes its data', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const demo = spawn(process.execPath, [DEMO], { env: { PATH: process.env.PATH, TMPDIR: scratch } });
  let said = '';
  demo.stdout.on('data', (chunk) => (said += chunk));
  const told = (name: string) => said.match(new RegExp(`${name} +(\\S+)`))?.[1] ?? '';
  try {
    await expect.poll(() => told('Shop')).toMatch(/^http/);
    const { origin } = new URL(told('Dashboard'));
    const page = await (await fetch(told('Shop'))).text();
    const [, source = '', widgetCode = ''] = page.match(/<script src="(.+?)" data-site-id="(.+?)"/) ?? [];
    expect((await fetch(source)).status).toBe(200);
    const api = apiOf(origin);
    expect((await api('GET /widget/:widgetCode', { params: { widgetCode } })).name).toBe('Harbour Lanterns');
    const body = { email: told('Email'), password: told('Password') };
    expect(await api('POST /auth/login', { body })).toMatchObject({ user: { email: 'demo@example.com' } });
  } finally {
    demo.kill('SIGINT');
    const [code] = await once(demo, 'exit');
    expect(code).toBe(0);
    expect(await readdir(scratch)).toEqual([]);
    await rm(scratch, { recursive: true });
  }
});
