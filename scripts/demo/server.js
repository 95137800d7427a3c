import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../setup.js';

const PAST_CLOCK = pathToFileURL(join(import.meta.dirname, 'pastClock.js')).href;
const { PATH, SystemRoot } = process.env;

/**
 * Starts the built server in a process of its own.
 * @param env its settings. Nothing of the own environment: with a MONGODB_URI, the demo would write into a real database.
 * @param past whether its clock can be set
 */
export function startServer(env, { past = false } = {}) {
  const preload = past ? ['--import', PAST_CLOCK] : [];
  const main = join(ROOT, 'server/dist/main.js');
  const child = spawn(process.execPath, [...preload, '--enable-source-maps', main], {
    env: { PATH, SystemRoot, NODE_ENV: 'production', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(past ? ['ipc'] : [])],
  });
  const ended = once(child, 'exit');
  return {
    ended,
    /** The address that the server prints when it is ready; it fails if the server ends before. */
    origin: Promise.race([addressOf(child), ended.then(() => Promise.reject(new Error('The server has ended.')))]),
    /** Sets its clock; resolves when that is done. @param time in milliseconds since 1970 */
    async setTime(time) {
      const done = once(child, 'message');
      child.send({ time });
      await Promise.race([done, ended]);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function addressOf({ stdout }) {
  return new Promise((found) => {
    // Read everything: a full pipe would block the server.
    createInterface({ input: stdout }).on('line', (line) => {
      const [address] = line.match(/http:\S+/) ?? [];
      if (address) found(address);
    });
  });
}
