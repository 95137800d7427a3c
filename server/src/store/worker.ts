import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from './engine.ts';
import { startExpiry } from './expiry.ts';
import { Queue } from './queue.ts';
import { serve } from './server.ts';
import { openLmdb } from './storage/lmdb.ts';

/** What startStore hands to the worker. */
export interface WorkerData {
  dataPath: string;
  socketPath: string;
}

/** What the worker says back. */
export type WorkerMessage = { state: 'ready' } | { state: 'stopped' } | { state: 'refused'; message: string };

const { dataPath, socketPath } = workerData as WorkerData;
const say = (message: WorkerMessage) => parentPort?.postMessage(message);

try {
  const storage = openLmdb(dataPath);
  const engine = createEngine(storage);
  const queue = new Queue(engine);
  const { server, closeAll } = serve(engine, queue);
  const stopExpiry = startExpiry(engine, queue);
  server.listen(socketPath, () => say({ state: 'ready' }));

  parentPort?.once('message', async () => {
    stopExpiry();
    server.close();
    await queue.idle();
    closeAll();
    await storage.close();
    say({ state: 'stopped' });
  });
} catch (error) {
  say({ state: 'refused', message: error instanceof Error ? error.message : String(error) });
}
