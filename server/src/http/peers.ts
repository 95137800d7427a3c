import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'socket.io';
import { requestAddress, type TrustsProxy } from './address.ts';
import { tooMany, unavailable } from './errors.ts';
import type { Limits } from './limits.ts';

type Connection = Socket['conn'];

/** What may wait for one connection that does not take it, in characters and in packets. */
const WAITING_CHARS_MAX = 1_000_000;
const WAITING_PACKETS_MAX = 1_000;
/** While more than so many bytes of what was sent are not taken, no further large answer is made. */
const UNTAKEN_MAX_BYTES = 64 * 1024;
/** So many questions with large answers may wait for their turn. */
const WAITING_ASKS_MAX = 20;
/** How long peers of the real-time side are waited for, in milliseconds. */
export const PEER_PATIENCE = {
  /** A connection that takes nothing of what was sent for so long is ended. */
  stuck: 10_000,
  /** A connection that has not said who it is. */
  handshake: 10_000,
};
/** A stuck connection is seen so many times before it is ended. */
const LOOKS = 10;
/** How often it is looked whether the last answer was taken. */
const WAIT_MS = 50;
/** How long a peer is given to answer that it was closed; WebSockets alone would wait half a minute. */
const FAREWELL_MS = 1_000;

/** What is below a WebSocket connection; Engine.IO does not name it in its types. */
interface Line {
  /** Bytes that were handed over and have not left. */
  bufferedAmount: number;
  terminate(): void;
}

/** The answer to a long-polling connection's last poll, by the connection's id; null: there was none yet. */
const polls = new Map<string, ServerResponse | null>();
const turns = new WeakMap<Connection, { last: Promise<void>; waiting: number }>();

/** Engine.IO's id, which its types keep to themselves. */
const idOf = (connection: Connection) => (connection as unknown as { id: string }).id;
const lineOf = ({ transport }: Connection) => (transport as unknown as { socket?: Line }).socket;

/** How many bytes of what was sent the peer has not taken yet, as far as this side can know. */
function untaken(connection: Connection): number {
  return lineOf(connection)?.bufferedAmount ?? polls.get(idOf(connection))?.writableLength ?? 0;
}

/** Ends a connection, and what it keeps memory for, without waiting for the peer. */
function cutOff(connection: Connection): void {
  const [line, poll] = [lineOf(connection), polls.get(idOf(connection))];
  connection.close(true);
  line?.terminate();
  poll?.destroy();
}

/**
 * Does one after the other what gives one connection large answers, each when the last was taken: asking without reading
 * cannot heap them up. @throws AppError 429 when too much waits, 503 when the connection ends first
 */
export function inTurn(connection: Connection, work: () => Promise<void>): Promise<void> {
  const line = turns.get(connection) ?? { last: Promise.resolve(), waiting: 0 };
  turns.set(connection, line);
  if (line.waiting >= WAITING_ASKS_MAX) throw tooMany(1);
  line.waiting++;
  const turn = line.last
    .then(() => whenTaken(connection))
    .then(work)
    .finally(() => line.waiting--);
  line.last = turn.catch(() => undefined);
  return turn;
}

async function whenTaken(connection: Connection): Promise<void> {
  while (untaken(connection) > UNTAKEN_MAX_BYTES) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (connection.readyState !== 'open') throw unavailable();
  }
}

/**
 * Ends connections that do not take what they are sent, instead of keeping it for them: whoever comes back gets it by
 * `sync`. Gives the function that stops it.
 */
export function dropSlow(io: Server, { stuck }: Pick<typeof PEER_PATIENCE, 'stuck'>): () => void {
  const open = new Map<Connection, { untaken: number; since: number }>();
  let timer: NodeJS.Timeout | undefined;
  io.engine.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    const sid = new URLSearchParams(req.url?.split('?')[1]).get('sid');
    if (sid !== null && polls.has(sid) && req.method === 'GET' && !req.headers.upgrade) polls.set(sid, res);
    next();
  });
  io.engine.on('connection', (connection: Connection) => {
    open.set(connection, { untaken: 0, since: performance.now() });
    timer ??= setInterval(look, stuck / LOOKS).unref();
    polls.set(idOf(connection), null);
    dropOverfull(connection);
    connection.once('close', () => {
      open.delete(connection);
      if (open.size === 0) stop();
      polls.delete(idOf(connection));
      const line = lineOf(connection);
      setTimeout(() => line?.terminate(), FAREWELL_MS).unref();
    });
  });
  function look(): void {
    const now = performance.now();
    for (const [connection, seen] of open) {
      const bytes = untaken(connection);
      if (bytes === 0 || bytes < seen.untaken) seen.since = now;
      seen.untaken = bytes;
      if (now - seen.since >= stuck) cutOff(connection);
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return stop;
}

/** What is handed to the network counts as taken here, so that one large answer is not held against anybody at once. */
function dropOverfull(connection: Connection): void {
  let chars = 0;
  let packets = 0;
  connection.on('packetCreate', ({ data }: { data?: unknown }) => {
    if (connection.transport.writable) return;
    packets++;
    chars += typeof data === 'string' ? data.length : 0;
    if (chars > WAITING_CHARS_MAX || packets > WAITING_PACKETS_MAX) cutOff(connection);
  });
  connection.on('flush', () => {
    chars = 0;
    packets = 0;
  });
}

/** What counts those who connect. */
interface PeerDeps {
  limits: Limits;
  trustsProxy: TrustsProxy;
}

/** Ends connections that send without measure, alone or with others of their address. What asks for an answer is told `RATE_LIMITED` long before. */
export function dropFloods(io: Server, { limits, trustsProxy }: PeerDeps): void {
  let last = 0;
  io.engine.on('connection', (connection: Connection) => {
    const key = String(++last);
    const address = requestAddress(connection.request, trustsProxy);
    const count = async () => {
      await limits.take('packetsPerConnection', key);
      await limits.take('packetsPerAddress', address);
    };
    connection.on('packet', () => {
      count().catch(() => cutOff(connection));
    });
  });
}

/** Refuses connections beyond what one address may have open. */
export function limitConnections(io: Server, { limits, trustsProxy }: PeerDeps): void {
  const open = new Map<string, number>();
  const max = limits.max('socketsPerIp');
  io.engine.opts.allowRequest = (req, answer) => answer(null, (open.get(requestAddress(req, trustsProxy)) ?? 0) < max);
  io.engine.on('connection', (connection: Connection) => {
    const address = requestAddress(connection.request, trustsProxy);
    open.set(address, (open.get(address) ?? 0) + 1);
    connection.once('close', () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
