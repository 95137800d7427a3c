import type { Server, Socket } from 'socket.io';
import type { Limits } from './limits.ts';

type Connection = Socket['conn'];

/** What may wait for one connection that does not take it, in characters and in packets. */
const WAITING_CHARS_MAX = 1_000_000;
const WAITING_PACKETS_MAX = 1_000;

/**
 * Ends connections that do not take what they are sent, instead of keeping it for them: whoever comes back gets it by
 * `sync`. What is handed to the network counts as taken, so that one large answer is not held against anybody.
 */
export function dropSlow(io: Server): void {
  io.engine.on('connection', (connection: Connection) => {
    let chars = 0;
    let packets = 0;
    connection.on('packetCreate', ({ data }: { data?: unknown }) => {
      if (connection.transport.writable) return;
      packets++;
      chars += typeof data === 'string' ? data.length : 0;
      if (chars > WAITING_CHARS_MAX || packets > WAITING_PACKETS_MAX) connection.close(true);
    });
    connection.on('flush', () => {
      chars = 0;
      packets = 0;
    });
  });
}

/** Ends connections that send without measure. What asks for an answer is told `RATE_LIMITED` long before. */
export function dropFloods(io: Server, limits: Limits): void {
  let last = 0;
  io.engine.on('connection', (connection: Connection) => {
    const key = String(++last);
    connection.on('packet', () => {
      limits.take('packetsPerConnection', key).catch(() => connection.close(true));
    });
  });
}
