// The embedded store in a process of its own, for several nodes on this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup.js';
import { endWithParent, outputMatching } from './processes.js';
import { startRelay } from './relay.js';

/**
 * Starts it on a data folder; without one, on a temporary folder that `stop` deletes.
 * @param {{ dataDir?: string }} options
 */
export async function startSharedStore({ dataDir } = {}) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'parley-store-'));
  /** @type {import('node:child_process').ChildProcess | null} */
  let server = null;
  let uri = '';

  async function start() {
    server = spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'server/dist/maintenance.js'), 'serve'], {
      env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own: Ctrl-C must reach the nodes first.
      detached: true,
    });
    endWithParent(server);
    uri = await outputMatching(server, /mongodb:\S+/);
  }

  /** @param {'SIGTERM' | 'SIGKILL'} signal */
  async function end(signal) {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  await start();
  /** @type {Set<{ stop(): Promise<void> }>} */
  const wires = new Set();
  return {
    dataDir: folder,
    pid: () => server?.pid ?? 0,
    /** Its address, until it is started again. */
    uri: () => uri,
    /** An address of its own for one node, which stays the same, with a wire that can be stalled or cut. */
    async wire() {
      const relay = await startRelay(() => ({ path: decodeURIComponent(new URL(uri).host) }));
      wires.add(relay);
      return { ...relay, uri: `mongodb://127.0.0.1:${relay.port}/parley?directConnection=true` };
    },
    /** Pauses it, or lets it continue. @param {boolean} frozen */
    freeze: (frozen) => void server?.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
    /** Ends it as a power cut would, or with SIGTERM, and starts it again. @param {'SIGTERM' | 'SIGKILL'} signal */
    async restart(signal = 'SIGTERM') {
      await end(signal);
      await start();
    },
    async stop() {
      for (const wire of wires) await wire.stop();
      await end('SIGTERM');
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
