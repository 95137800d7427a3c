// A TCP relay between a node and its store or Redis, whose wire can be stalled or cut, or lose bytes.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Hears of all bytes before they are passed on; false: these are lost.
 * @callback Passes
 * @param {Buffer} bytes
 * @param {import('node:net').Socket} from
 * @param {import('node:net').Socket} to
 * @returns {boolean}
 */

/**
 * Starts a relay on a free port of this machine.
 * @param {() => import('node:net').NetConnectOpts} target where a new connection goes: the path of a socket may change
 * @param {Passes} passes
 */
export async function startRelay(target, passes = () => true) {
  /** @type {Set<import('node:net').Socket>} */
  const ends = new Set();
  let isStalled = false;
  let isCut = false;
  const wire = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      ends.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy()).on('close', () => ends.delete(from) && to.destroy());
      from.on('data', (bytes) => passes(bytes, from, to) && to.write(bytes));
      if (isStalled) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  const dropAll = () => {
    for (const end of ends) end.destroy();
  };
  return {
    port: wire.address().port,
    /** Stops passing data in both directions, or continues. @param {boolean} stalled */
    stall(stalled) {
      isStalled = stalled;
      for (const end of ends) stalled ? end.pause() : end.resume();
    },
    /** Ends all connections and refuses new ones, or accepts them again. @param {boolean} cut */
    cut(cut) {
      isCut = cut;
      if (cut) dropAll();
    },
    async stop() {
      wire.close();
      dropAll();
    },
  };
}
