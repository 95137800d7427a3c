// Preloaded into the server's process (`node --import`): sets its clock back, in its worker threads too. Timers keep their pace.
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const KEY = 'demo/pastClock';

// Worker threads get the same memory: a clock of their own would store times that contradict each other.
if (isMainThread) setEnvironmentData(KEY, new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
const ahead = new Float64Array(/** @type {SharedArrayBuffer} */ (getEnvironmentData(KEY)));

const { now } = Date;
Date.now = () => now() + ahead[0];
// A proxy: dates that the language itself makes, such as copies for a worker thread, stay instances of `Date`.
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [Date.now()], made),
});

if (isMainThread) {
  process.on('message', (/** @type {{ time: number }} */ { time }) => {
    ahead[0] = time - now();
    process.send?.({ time });
  });
  // The server must be able to end while the demo lives.
  process.channel?.unref();
}
