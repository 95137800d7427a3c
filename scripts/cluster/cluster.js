// Several nodes of the current build on this machine, with what they share.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup.js';
import { endWithParent, outputMatching, sharedSecrets } from './processes.js';
import { startRedis } from './redis.js';
import { startSharedStore } from './store.js';

/**
 * Starts them; whatever has started is stopped if one of them fails.
 * @param {number} count @param {Record<string, string>} env more settings of the nodes
 */
export async function startNodes(count, env = {}) {
  /** @type {(() => Promise<unknown> | void)[]} */
  const started = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const redis = await startRedis();
    started.push(redis.stop);
    const store = await startSharedStore();
    started.push(store.stop);
    const settings = { ...sharedSecrets(), MONGODB_URI: store.uri(), REDIS_URL: redis.url, ...env };
    const nodes = [];
    // One after the other, because the first one creates the indexes.
    for (let i = 0; i < count; i++) {
      const node = await startNode(settings);
      started.push(node.stop);
      nodes.push(node);
    }
    return { nodes, redis, store, stop };
  } catch (error) {
    await stop();
    throw error;
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
  async function stop() {
    node.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
  try {
    const url = await outputMatching(node, /http:\S+/);
    return { url, pid: node.pid, stop };
  } catch {
    await stop();
    throw new Error('A node did not start, see above.');
  }
}
