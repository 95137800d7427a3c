import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import mongoose from 'mongoose';
import { ROOT } from '../../scripts/setup.js';

/** As `npm start` and the image start it. */
const AS_STARTED = ['--min-semi-space-size=8', '--max-semi-space-size=32'];
const MEMORY_EVERY_MS = 50;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * Starts the built server in a process of its own, on a free port.
 * @param under a command prefix that runs it @param node options of its Node process @param settings further ones
 */
export async function startParley(dataDir, { under = [], node = [], settings = {} } = {}) {
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...settings,
  };
  const [command, ...args] = [...under, process.execPath, ...AS_STARTED, ...node, join(ROOT, 'server/dist/main.js')];
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let url;
  for await (const line of createInterface({ input: child.stdout })) {
    url = line.match(/http:\S+/)?.[0];
    if (url) break;
  }
  if (!url) throw new Error('Parley has not started.');
  return {
    url,
    pid: child.pid,
    call: (call, options) => callApi(url, call, options),
    memory: () => anonymousMemory(child.pid),
    watchMemory: () => watchMemory(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** The socket of the store, in the data folder of a running Parley. */
export function storeSocket(dataDir) {
  const folder = join(dataDir, 'store');
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.sock')),
  );
}

/** Connects to that store directly, which is faster than calls to the server. */
export function connectStore(dataDir) {
  const uri = `mongodb://${encodeURIComponent(storeSocket(dataDir))}/parley?directConnection=true`;
  return new mongoose.mongo.MongoClient(uri, { retryWrites: false, retryReads: false }).connect();
}

/** Makes a call of the API at this address. @throws Error if it is refused */
export async function callApi(url, call, { token, body } = {}) {
  const [method, path] = call.split(' ');
  const headers = { 'Content-Type': 'application/json', 'User-Agent': BROWSER };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(`${url}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  const { data, message } = await answer.json();
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${message}`);
  return data;
}

/** The anonymous memory of a process in MiB (Linux): without the mapped pages of the store's file, which the system can free at any time. */
export function anonymousMemory(pid) {
  const kib = Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/RssAnon:\s+(\d+)/)[1]);
  return kib / 1024;
}

/** Polls the memory. @returns a function that stops it and returns the peak */
function watchMemory(pid) {
  let peak = anonymousMemory(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, anonymousMemory(pid));
  }, MEMORY_EVERY_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
