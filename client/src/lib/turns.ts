/** How long to wait for another tab's lock. */
const WAIT_MAX_MS = 10_000;

/**
 * Runs while no other tab holds the Web Lock of this name; also when one has held it for so long that the system may have
 * suspended that tab. Browsers have locks on secure pages only, and refuse them where storage is blocked: without them, tabs
 * run at the same time.
 */
export async function inTurn(name: string, run: () => Promise<void>): Promise<void> {
  const waiting = new AbortController();
  // Once the lock is held, this has no effect.
  const timeout = setTimeout(() => waiting.abort(), WAIT_MAX_MS);
  let begun = false;
  const begin = () => {
    begun = true;
    return run();
  };
  try {
    await navigator.locks.request(name, { signal: waiting.signal }, begin);
  } catch (error) {
    if (begun) throw error;
    await begin();
  } finally {
    clearTimeout(timeout);
  }
}
