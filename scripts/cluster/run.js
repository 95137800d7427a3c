// Several nodes of the current build on this machine, until a signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup.js';
import { endWithParent, outputMatching, sharedSecrets } from './processes.js';
import { startProxy } from './proxy.js';
import { startRedis } from './redis.js';
import { startSharedStore } from './store.js';

const PORT = 3000;

/** Starts them, prints their addresses, and stops them at a signal. @param {number} count */
export async function runCluster(count) {
  /** @type {(() => Promise<unknown> | void)[]} */
  const started = [];
  const stop = async (code) => {
    for (const end of started.splice(0).reverse()) await end();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(0));
  try {
    const redis = await startRedis();
    started.push(redis.stop);
    const store = await startSharedStore();
    started.push(store.stop);
    const settings = { ...sharedSecrets(), MONGODB_URI: store.uri(), REDIS_URL: redis.url };
    const nodes = [];
    for (let i = 0; i < count; i++) {
      const node = await startNode(settings);
      started.push(node.stop);
      nodes.push(node);
    }
    const port = Number(process.env.PORT ?? PORT);
    const proxy = await startProxy(
      nodes.map(({ url }) => Number(new URL(url).port)),
      { port },
    );
    started.push(proxy.stop);
    console.log(`
  ${count} nodes of one Parley. All data is deleted when you stop them with Ctrl-C.

  Parley   ${proxy.origin} (a proxy that gives each request to the next node)
${nodes.map(({ url, pid }, i) => `  Node ${i + 1}   ${url} (process ${pid})`).join('\n')}
  Redis    ${redis.url}
  Store    ${store.uri()}
`);
  } catch (error) {
    console.error(`\n  The cluster cannot start: ${error.message}\n`);
    await stop(1);
  }
}

/** @param {Record<string, string>} settings */
async function startNode(settings) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-node-'));
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, NODE_ENV: 'production', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings };
  const node = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'server/dist/main.js')], {
    env: { ...env, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithParent(node);
  const ended = once(node, 'exit');
  const url = await outputMatching(node, /http:\S+/);
  return {
    url,
    pid: node.pid,
    async stop() {
      node.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
