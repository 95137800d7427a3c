import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import { startExpiry } from './expiry.ts';
import { restrictAccess } from './folder.ts';
import { Queue } from './queue.ts';
import { serve } from './server.ts';
import { openLmdb } from './storage/lmdb.ts';
import type { Reserve } from './storage/reserve.ts';

/** What `startStore` passes to the worker. */
export interface WorkerData {
  dataPath: string;
  socketPath: string;
  reserve?: Reserve;
  /** see `StoreOptions` */
  sliceWork: number | undefined;
}

/** The messages of the worker. */
export type WorkerMessage = { state: 'ready' } | { state: 'stopped' } | { state: 'refused'; message: string };

/**
 * How often dead readers are removed: a backup or check that was killed keeps free room in the file from being used again.
 */
const READERS_INTERVAL_MS = 3_600_000;

const { dataPath, socketPath, reserve, sliceWork } = workerData as WorkerData;
const say = (message: WorkerMessage) => parentPort?.postMessage(message);

try {
  const storage = openLmdb(dataPath, reserve);
  restrictAccess(dataPath);
  const engine = createEngine(storage, sliceWork === undefined ? {} : { sliceWork });
  const queue = new Queue(engine);
  const { server, closeAll } = serve(engine, queue);
  queue.resume();
  const stopExpiry = startExpiry(engine, queue);
  const readers = setInterval(() => storage.forgetDeadReaders(), READERS_INTERVAL_MS);
  server.listen(socketPath, () => say({ state: 'ready' }));

  parentPort?.once('message', async () => {
    stopExpiry();
    clearInterval(readers);
    server.close();
    await queue.close();
    closeAll();
    await storage.close();
    say({ state: 'stopped' });
  });
} catch (error) {
  say({ state: 'refused', message: error instanceof Error ? error.message : String(error) });
}
