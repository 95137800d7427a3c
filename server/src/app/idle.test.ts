import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { startServer } from '#test/harness';

const TICKS = 40;
const TICK_MS = 50;

test('an idle server is rarely woken by timers', async () => {
  const timeouts = new Set<number>();
  let wakeUps = 0;
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && timeouts.add(id)),
    before: (id) => void (timeouts.has(id) && wakeUps++),
  }).enable();
  const server = await startServer({ mongodbUri: null });
  await ticks();
  // What the start left behind has been done.
  wakeUps = 0;
  await ticks();
  const woken = wakeUps - TICKS;
  hook.disable();
  await server.stop();
  // One watcher that looks once a second has two of them; a busy machine makes them fewer.
  expect(woken).toBeLessThan(TICKS / 4);
});

/** A stretch of time, counted in what wakes this process by itself. */
function ticks(): Promise<void> {
  let left = TICKS;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      left--;
      if (left > 0) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
}
