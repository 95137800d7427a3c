import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 20;
const START_TIMEOUT_MS = 30_000;

/**
 * Waits until a program listens on a port of this machine.
 * @param exitCode of the program; null: it runs
 */
export async function untilOpen(port: number, name: string, exitCode: () => number | null): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      if (exitCode() !== null || performance.now() > until) throw new Error(`${name} does not start (${port})`);
      await sleep(RETRY_MS);
    } finally {
      socket.destroy();
    }
  }
}
