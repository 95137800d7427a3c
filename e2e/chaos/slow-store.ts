import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startParley } from '../harness/parley.ts';

/** The store of another Parley, behind a proxy that can be stalled. */
export interface SlowStore {
  uri: string;
  dataDir: string;
  /** Stops passing data in both directions, or continues. */
  stall(stalled: boolean): void;
  stop(): Promise<void>;
}

/** Starts the other Parley and the proxy. */
export async function startSlowStore(): Promise<SlowStore> {
  const keeper = await startParley();
  const folder = join(keeper.dataDir, 'store');
  const name = (await readdir(folder)).find((file) => file.endsWith('.sock')) ?? '';
  const ends = new Set<Socket>();
  let isStalled = false;
  const wire = createServer((near) => {
    const far = connect(join(folder, name));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from);
      from.on('error', () => to.destroy()).on('close', () => ends.delete(from) && to.destroy());
      from.on('data', (bytes) => to.write(bytes));
      if (isStalled) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  return {
    uri: `mongodb://127.0.0.1:${(wire.address() as AddressInfo).port}/parley?directConnection=true`,
    dataDir: keeper.dataDir,
    stall(stalled) {
      isStalled = stalled;
      for (const end of ends) stalled ? end.pause() : end.resume();
    },
    async stop() {
      wire.close();
      for (const end of ends) end.destroy();
      await keeper.stop();
    },
  };
}
