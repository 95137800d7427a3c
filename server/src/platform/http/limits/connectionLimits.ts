import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'socket.io';
import { requestAddress, type TrustsProxy } from '../address.ts';
import { tooMany, unavailable } from '../errors.ts';
import type { Limits } from './limits.ts';

type Connection = Socket['conn'];

/** At most this many characters and packets wait in memory for a connection that does not read. */
const WAITING_CHARS_MAX = 1_000_000;
const WAITING_PACKETS_MAX = 1_000;
/** While more than this many sent bytes are unread, the next large answer is not made. */
const UNTAKEN_MAX_BYTES = 64 * 1024;
/** At most this many requests with large answers may wait for their turn. */
const WAITING_ASKS_MAX = 20;
/** Timeouts for real-time peers, in milliseconds. */
export const PEER_TIMEOUTS_MS = {
  /** A connection that reads nothing of what was sent for this long is closed. */
  stuck: 10_000,
  /** A connection that has not authenticated within this time is closed. */
  handshake: 10_000,
  /** How long a poll waits for an event: less than any proxy waits for an answer. */
  poll: 25_000,
};
/** How often an unread connection is checked within the `stuck` time. */
const LOOKS = 10;
/** The interval at which an answer is checked for having been read. */
const WAIT_MS = 50;
/** How long a peer may take to confirm that its connection is closed; WebSockets alone would wait half a minute. */
const FAREWELL_MS = 1_000;

/** The socket below a WebSocket connection; neither Engine.IO nor `ws` has it in its types. */
interface Line {
  _socket?: { cork(): void; uncork(): void } | null;
  /** Bytes handed to the socket that have not been sent. */
  bufferedAmount: number;
  terminate(): void;
}

/** The state of one connection. Most visitors never write, so it is kept small: one object, no closures. */
interface Peer {
  /** The client's address, as `addressKey` makes it; all connections of one address share the same string. */
  address: string;
  /** The response to its last poll; null: it has not polled yet, or it is a WebSocket. */
  poll: ServerResponse | null;
  /** Characters that wait because the last packets were not read. */
  waitingChars: number;
  waitingPackets: number;
  /** Unread bytes at the last check, and since when nothing was read, in milliseconds. */
  untaken: number;
  stuckSince: number;
  /** The last large answer, in progress or waiting; null: none. */
  lastAsk: Promise<void> | null;
  asks: number;
}

const peers = new WeakMap<Connection, Peer>();

// Engine.IO does not export these in its types.
const idOf = (connection: Connection) => (connection as unknown as { id: string }).id;
const lineOf = ({ transport }: Connection) => (transport as unknown as { socket?: Line }).socket;
const openOn = ({ engine }: Server) => (engine as unknown as { clients: Record<string, Connection> }).clients;

function peerOf(connection: Connection): Peer {
  const peer = peers.get(connection);
  if (!peer) throw unavailable();
  return peer;
}

/** The client's address of a connection, as `addressKey` makes it. */
export function addressOf(connection: Connection): string {
  return peerOf(connection).address;
}

/** The number of sent bytes that the peer has not read yet, as far as this side can know. */
function untaken(connection: Connection): number {
  return lineOf(connection)?.bufferedAmount ?? peerOf(connection).poll?.writableLength ?? 0;
}

/** Closes a connection and frees its memory, without waiting for the peer. */
function cutOff(connection: Connection): void {
  const [line, { poll }] = [lineOf(connection), peerOf(connection)];
  connection.close(true);
  line?.terminate();
  poll?.destroy();
}

/**
 * Corks a WebSocket, so that all frames of one turn of the event loop are written with one system call. A dashboard receives
 * all messages of its sites, and a system call for each frame would be expensive.
 */
export function corkWrites(connection: Connection): void {
  let isCorked = false;
  connection.on('flush', () => {
    const line = isCorked ? undefined : lineOf(connection)?._socket;
    if (!line) return;
    isCorked = true;
    line.cork();
    setImmediate(() => {
      isCorked = false;
      line.uncork();
    });
  });
}

/**
 * Runs the work for large answers to one connection one after the other, each after the last answer was read. A client that
 * asks without reading cannot fill the memory.
 * @throws AppError 429 when too many requests wait, 503 when the connection closes first
 */
export async function inTurn(connection: Connection, work: () => Promise<void>): Promise<void> {
  const peer = peerOf(connection);
  if (peer.asks >= WAITING_ASKS_MAX) throw tooMany(1);
  peer.asks++;
  const ask = afterLast(peer.lastAsk, connection, work);
  peer.lastAsk = ask.catch(() => undefined);
  try {
    await ask;
  } finally {
    peer.asks--;
    if (peer.asks === 0) peer.lastAsk = null;
  }
}

async function afterLast(last: Promise<void> | null, connection: Connection, work: () => Promise<void>): Promise<void> {
  await last;
  while (untaken(connection) > UNTAKEN_MAX_BYTES) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (connection.readyState !== 'open') throw unavailable();
  }
  await work();
}

export interface ConnectionLimitDeps {
  limits: Limits;
  trustsProxy: TrustsProxy;
  /** How long a connection may read nothing of what was sent, in milliseconds. */
  stuck: number;
}

/**
 * Limits what a connection may cost, even before it has authenticated. Refused: connections beyond the number that one
 * address may have open. Closed: those that exceed the packet rate of a connection or an address (events that expect an
 * acknowledgement get `RATE_LIMITED` long before), and those that do not read. Nothing is buffered for a closed connection:
 * a client that reconnects gets what it missed by `sync`.
 * @returns a function that stops the checks
 */
export function boundConnections(io: Server, { limits, trustsProxy, stuck }: ConnectionLimitDeps): () => void {
  const addresses = new Map<string, { address: string; open: number }>();
  const maxOpen = limits.max('socketsPerIp');
  let timer: NodeJS.Timeout | undefined;

  io.engine.opts.allowRequest = (req, answer) =>
    answer(null, (addresses.get(requestAddress(req, trustsProxy))?.open ?? 0) < maxOpen);
  io.engine.use((req: IncomingMessage, res: ServerResponse, next: () => void) => {
    const sid = new URLSearchParams(req.url?.split('?')[1]).get('sid') ?? '';
    const connection = Object.hasOwn(openOn(io), sid) ? openOn(io)[sid] : undefined;
    if (connection && req.method === 'GET' && !req.headers.upgrade) peerOf(connection).poll = res;
    next();
  });
  io.engine.on('connection', (connection: Connection) => {
    peers.set(connection, arrived(requestAddress(connection.request, trustsProxy)));
    timer ??= setInterval(look, stuck / LOOKS).unref();
    connection.on('packet', onPacket);
    connection.on('packetCreate', onPacketCreate);
    connection.on('flush', onFlush);
    connection.on('close', onClose);
  });

  function arrived(from: string): Peer {
    const counted = addresses.get(from) ?? { address: from, open: 0 };
    addresses.set(from, counted);
    counted.open++;
    const nothing = {
      poll: null,
      waitingChars: 0,
      waitingPackets: 0,
      untaken: 0,
      stuckSince: 0,
      lastAsk: null,
      asks: 0,
    };
    return { address: counted.address, ...nothing };
  }

  function onPacket(this: Connection): void {
    countPacket(this).catch(() => cutOff(this));
  }

  async function countPacket(connection: Connection): Promise<void> {
    await limits.take('packetsPerConnection', idOf(connection));
    await limits.take('packetsPerAddress', addressOf(connection));
  }

  function onClose(this: Connection): void {
    const from = addresses.get(addressOf(this));
    if (from && --from.open === 0) addresses.delete(from.address);
    if (addresses.size === 0) stop();
    const line = lineOf(this);
    setTimeout(() => line?.terminate(), FAREWELL_MS).unref();
  }

  function look(): void {
    const now = performance.now();
    for (const connection of Object.values(openOn(io))) {
      const peer = peerOf(connection);
      const bytes = untaken(connection);
      if (bytes === 0 || bytes < peer.untaken || peer.untaken === 0) peer.stuckSince = now;
      peer.untaken = bytes;
      if (bytes > 0 && now - peer.stuckSince >= stuck) cutOff(connection);
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return stop;
}

/** Packets handed to the network count as read here, so that one large answer does not close a healthy connection. */
function onPacketCreate(this: Connection, { data }: { data?: unknown }): void {
  if (this.transport.writable) return;
  const peer = peerOf(this);
  peer.waitingPackets++;
  peer.waitingChars += typeof data === 'string' ? data.length : 0;
  if (peer.waitingChars > WAITING_CHARS_MAX || peer.waitingPackets > WAITING_PACKETS_MAX) cutOff(this);
}

function onFlush(this: Connection): void {
  const peer = peerOf(this);
  peer.waitingChars = 0;
  peer.waitingPackets = 0;
}
