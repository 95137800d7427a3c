// Loaded into the server before its own code, by `npm run chaos -- late`: whatever it sends and hears is late by a random time,
// in order for each connection but not between connections, as on a bad network. It shows what counts on one connection being as
// fast as another.
import { Server } from 'node:http';

const MAX_MS = Number(process.env.LATE_MS);
/** The first byte of a WebSocket's close frame. A late one would let the server write after it. */
const CLOSE_FRAME = 0x88;

/** Mostly little, sometimes much. @returns {number} in milliseconds */
const late = () => Math.random() ** 3 * MAX_MS;

/** @param {import('node:net').Socket} socket */
function delayWrites(socket) {
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  const delayOf = (/** @type {Buffer | string} */ bytes) => (bytes[0] === CLOSE_FRAME ? 0 : late());
  socket._write = (bytes, encoding, done) => void setTimeout(write, delayOf(bytes), bytes, encoding, done);
  socket._writev = (all, done) => void setTimeout(() => writeAll?.(all, done), delayOf(all[0]?.chunk));
}

/** Delays what a WebSocket receives. @param {import('node:net').Socket} socket */
function delayData(socket) {
  const emit = socket.emit.bind(socket);
  /** @type {Buffer[]} */
  const waiting = [];
  const next = () => {
    const bytes = waiting.shift();
    if (bytes) emit('data', bytes);
    if (waiting.length > 0) setTimeout(next, late());
  };
  socket.emit = (event, ...args) => {
    if (event === 'data') {
      if (waiting.push(args[0]) === 1) setTimeout(next, late());
      return true;
    }
    if (event === 'end' || event === 'close') for (const bytes of waiting.splice(0)) emit('data', bytes);
    return emit(event, ...args);
  };
}

const emit = Server.prototype.emit;
Server.prototype.emit = function (event, first, ...rest) {
  if (event === 'connection') delayWrites(first);
  if (event === 'upgrade') delayData(rest[0]);
  if (event !== 'request') return emit.call(this, event, first, ...rest);
  setTimeout(() => emit.call(this, event, first, ...rest), late());
  return true;
};
