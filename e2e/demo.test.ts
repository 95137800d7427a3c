import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiOf } from './harness/api.ts';

/** A week of calls takes seconds, and on a busy machine a minute. */
const START_TIMEOUT_MS = 300_000;
const DEMO = fileURLToPath(new URL('../scripts/demo/run.js', import.meta.url));

/** Starts the demo with a folder of its own for temporary files. */
async function startDemo() {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const demo = spawn(process.execPath, [DEMO], { env: { PATH: process.env.PATH, TMPDIR: scratch } });
  let said = '';
  demo.stdout.on('data', (chunk) => (said += chunk));
  return {
    scratch,
    said: () => said,
    told: (name: string) => said.match(new RegExp(`${name} +(\\S+)`))?.[1] ?? '',
    /** Ends it with Ctrl-C, which must leave nothing behind. */
    async interrupt() {
      demo.kill('SIGINT');
      const [code] = await once(demo, 'exit');
      expect(code).toBe(0);
      expect(await readdir(scratch)).toEqual([]);
      await rm(scratch, { recursive: true });
    },
  };
}

test('the demo shows a week of a shop with the widget, tells how to sign in, and deletes its data', async () => {
  const { told, interrupt } = await startDemo();
  try {
    await expect.poll(() => told('Shop'), { timeout: START_TIMEOUT_MS }).toMatch(/^http/);
    const { origin } = new URL(told('Dashboard'));
    const page = await (await fetch(told('Shop'))).text();
    const [, source = '', widgetCode = ''] = page.match(/<script src="(.+?)" data-site-id="(.+?)"/) ?? [];
    expect((await fetch(source)).status).toBe(200);
    const api = apiOf(origin);
    expect((await api('GET /widget/:widgetCode', { params: { widgetCode } })).name).toBe('Harbour Lanterns');
    const body = { email: told('Email'), password: told('Password') };
    const { user, token } = await api('POST /auth/login', { body });
    expect(user).toMatchObject({ email: 'demo@example.com' });

    const { counts } = await api('GET /inbox/counts', { token });
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    const { rating, agents } = await api('GET /reports', { token });
    expect(rating).toBeGreaterThan(4);
    expect(
      agents.filter(({ responseMinutes, resolutionMinutes }) => responseMinutes && resolutionMinutes),
    ).toHaveLength(3);
    const { chats } = await api('GET /chats/history', { token, query: { limit: '50' } });
    const days = new Set(chats.map(({ createdAt }) => createdAt.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(6);
    // All of it is in the past.
    expect(chats.every(({ metadata }) => new Date(metadata.lastActivity) <= new Date())).toBe(true);
  } finally {
    await interrupt();
  }
});

test('Ctrl-C while the week is played leaves nothing behind', async () => {
  const { said, scratch, interrupt } = await startDemo();
  try {
    await expect.poll(said).toContain('week');
    const [folder = ''] = await readdir(scratch);
    await expect.poll(() => readdir(join(scratch, folder))).not.toEqual([]);
  } finally {
    await interrupt();
  }
});
