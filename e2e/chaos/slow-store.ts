import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startRelay } from '../../scripts/cluster/relay.js';
import { startParley } from '../harness/parley.ts';

/** The store of another Parley, behind a relay that can be stalled. */
export interface SlowStore {
  uri: string;
  dataDir: string;
  /** Stops passing data in both directions, or continues. */
  stall(stalled: boolean): void;
  stop(): Promise<void>;
}

/** Starts the other Parley and the relay. */
export async function startSlowStore(): Promise<SlowStore> {
  const keeper = await startParley();
  const folder = join(keeper.dataDir, 'store');
  const name = (await readdir(folder)).find((file) => file.endsWith('.sock')) ?? '';
  const relay = await startRelay(() => ({ path: join(folder, name) }));
  return {
    uri: `mongodb://127.0.0.1:${relay.port}/parley?directConnection=true`,
    dataDir: keeper.dataDir,
    stall: relay.stall,
    async stop() {
      await relay.stop();
      await keeper.stop();
    },
  };
}
