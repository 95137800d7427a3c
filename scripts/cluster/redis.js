// A Redis of our own for tests and for trying out several nodes: it stores nothing on the disk but in a temporary folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedProgram, installWithApt } from '../programs.js';
import { endWithParent, freePort } from './processes.js';

const NAMES = ['redis-server', 'valkey-server'];
const ELSEWHERE = ['/opt/homebrew/bin/redis-server', '/usr/local/bin/redis-server'];
const RETRY_MS = 20;
const START_TIMEOUT_MS = 30_000;

/** The path of redis-server: `REDIS_SERVER_PATH`, an installed one, else one installed now. Undefined: there is none. */
export function findRedis() {
  const { REDIS_SERVER_PATH } = process.env;
  if (REDIS_SERVER_PATH !== undefined) return REDIS_SERVER_PATH || undefined;
  return installedProgram(NAMES, ELSEWHERE) ?? (installWithApt('redis-server') ? installedProgram(NAMES) : undefined);
}

/**
 * Starts Redis on a free port of this machine. Its address stays the same when it is started again.
 * @throws Error with a sentence if this machine has no redis-server
 */
export async function startRedis() {
  const program = findRedis();
  if (!program)
    throw new Error('Several nodes need redis-server: install it, or set REDIS_SERVER_PATH to its program file.');
  const folder = mkdtempSync(join(tmpdir(), 'parley-redis-'));
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  /** @type {import('node:child_process').ChildProcess | null} */
  let server = null;

  async function start() {
    // A group of its own: Ctrl-C must reach the nodes first.
    server = spawn(program, args, { stdio: 'ignore', detached: true });
    endWithParent(server);
    await untilItAnswers(server, port);
  }

  async function end() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  async function stop() {
    await end();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid: () => server?.pid ?? 0,
    url: `redis://127.0.0.1:${port}`,
    /** Ends it at once, as a power cut would; its content is gone. */
    down: end,
    /** Starts it again, empty, on the same address. */
    up: start,
    /** Deletes everything in it. */
    empty: () => ask(port, 'FLUSHALL'),
    /** Pauses it, so that it accepts connections but does not answer, or lets it continue. @param {boolean} frozen */
    freeze: (frozen) => void server?.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
    stop,
  };
}

/** @param {import('node:child_process').ChildProcess} server @param {number} port */
async function untilItAnswers(server, port) {
  const until = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const answer = await ask(port, 'PING').catch(() => '');
    if (answer.startsWith('+PONG')) return;
    if (server.exitCode !== null || performance.now() > until) throw new Error(`redis-server does not start (${port})`);
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

/**
 * Gives one command without arguments. @returns the first line of the answer
 * @param {number} port @param {string} command @returns {Promise<string>}
 */
async function ask(port, command) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [bytes] = await once(socket, 'data');
    return String(bytes);
  } finally {
    socket.destroy();
  }
}
