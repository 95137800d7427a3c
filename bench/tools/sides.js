import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { moveMain, onCore } from './cores.js';
import { Line } from './line.js';
import { startParley } from './parley.js';

const BARE = fileURLToPath(new URL('./bare.js', import.meta.url));
/** So many ask at once for a visitor's session while a measurement is prepared. */
const AT_ONCE = 100;

/** Who Parley's one member is. */
export const MEMBER = { email: 'ana@example.com', password: 'quiet-otter-paddles' };

/**
 * The relay and Parley, each with the same face: `agent()` a line that hears every `new_message`; `visitors(n)` the right of
 * so many to come; `come(visitor)` the visitor's line; `say(line, content)` a message, acknowledged.
 * @param node options of the Node that they run in @param pinned each main thread to the first processor, the rest to the other
 */
export async function startSides({ node = [], pinned = true } = {}) {
  const core = pinned ? onCore : () => [];
  const sides = [await startBare(node, core), await startServed(node, core)];
  if (pinned) moveMain(sides[1].pid, 0);
  const stop = async () => {
    for (const side of sides) await side.stop();
  };
  return { sides, bare: sides[0], parley: sides[1], stop };
}

async function startBare(node, core) {
  const [command, ...args] = [...core(0), process.execPath, ...node, BARE];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    ...{ name: 'bare', pid: child.pid, url },
    agent: () => Line.open(url, '/', {}),
    visitors: async (count) => Array.from({ length: count }, () => ({ chatId: randomUUID() })),
    async come({ chatId }) {
      const line = await Line.open(url, '/visitor', {});
      await line.ask('sync', {});
      return { line, chatId };
    },
    say: ({ line, chatId }, content) => line.ask('send_message', { chatId, content }),
    async stop() {
      child.kill();
      await exit;
    },
  };
}

async function startServed(node, core) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const parley = await startParley(dataDir, { under: core(1), node });
  const form = { name: 'Ana Ruiz', ...MEMBER, confirmPassword: MEMBER.password };
  const { token } = await parley.call('POST /auth/register', { body: form });
  const { site } = await parley.call('POST /sites', { token, body: { name: 'Shop', domain: 'shop.example.com' } });
  const url = parley.url.replace('localhost', '127.0.0.1');
  const session = () => parley.call(`POST /widget/${site.widgetCode}/session`, { body: {} });
  return {
    ...{ name: 'Parley', pid: parley.pid, url, call: parley.call },
    agent: () => Line.open(url, '/', { token }),
    async visitors(count) {
      const all = [];
      while (all.length < count)
        all.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - all.length) }, session))));
      return all;
    },
    async come({ visitorToken }) {
      const line = await Line.open(url, '/visitor', { visitorToken });
      await line.ask('sync', {});
      return { line };
    },
    say: ({ line }, content) => line.ask('send_message', { clientId: randomUUID(), content }),
    async stop() {
      await parley.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
