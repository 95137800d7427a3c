import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a slice takes, unless the work says otherwise. */
const SLICE_MS = 8;

/**
 * What the work awaits after each step: it ends at once, or lets the others have their turn. Who has nobody to wait for, as a test
 * or a command, may pass one that does nothing.
 */
export type Pause = () => Promise<void>;

/**
 * For long work on the main thread, which yields to other work after each slice of time. The first slice begins with this call.
 * @param ms how long others wait at most, if no step takes longer
 */
export function inTurns(ms = SLICE_MS): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < ms) return;
    await nextTurn();
    began = performance.now();
  };
}
