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

/** What is below a WebSocket connection; Engine.IO does not name it in its types, nor does `ws` what is below itself. */
interface Line {
  _socket?: { cork(): void; uncork(): void } | null;
  /** Bytes that were handed over and have not left. */
  bufferedAmount: number;
  terminate(): void;
}

/** What is kept of a connection. Most visitors never say a word and cost as little as can be: one object, no closures. */
interface Peer {
  /** Where it comes from, as `addressKey` makes it; the same string for all of one address. */
  address: string;
  /** The answer to its last poll; null: it has not polled yet, or it is a WebSocket. */
  poll: ServerResponse | null;
  /** What waits because the last packets were not taken. */
  waitingChars: number;
  waitingPackets: number;
  /** Bytes that it had not taken when it was looked at last, and since when it takes nothing, in milliseconds. */
  untaken: number;
  stuckSince: number;
  /** The last large answer under way or waiting; null: none. */
  lastAsk: Promise<void> | null;
  asks: number;
}

const peers = new WeakMap<Connection, Peer>();

// Engine.IO keeps these to itself in its types.
const idOf = (connection: Connection) => (connection as unknown as { id: string }).id;
const lineOf = ({ transport }: Connection) => (transport as unknown as { socket?: Line }).socket;
const openOn = ({ engine }: Server) => (engine as unknown as { clients: Record<string, Connection> }).clients;

function peerOf(connection: Connection): Peer {
  const peer = peers.get(connection);
  if (!peer) throw unavailable();
  return peer;
}

/** Where a connection comes from, as `addressKey` makes it. */
export function addressOf(connection: Connection): string {
  return peerOf(connection).address;
}

/** How many bytes of what was sent the peer has not taken yet, as far as this side can know. */
function untaken(connection: Connection): number {
  return lineOf(connection)?.bufferedAmount ?? peerOf(connection).poll?.writableLength ?? 0;
}

/** Ends a connection, and what it keeps memory for, without waiting for the peer. */
function cutOff(connection: Connection): void {
  const [line, { poll }] = [lineOf(connection), peerOf(connection)];
  connection.close(true);
  line?.terminate();
  poll?.destroy();
}

/**
 * Hands what a WebSocket is sent to the network once in a turn of the event loop: a dashboard hears all messages of its sites,
 * and each frame by itself costs a call of the system.
 */
export function writeTogether(connection: Connection): void {
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
 * Does one after the other what gives one connection large answers, each when the last was taken: asking without reading
 * cannot heap them up. @throws AppError 429 when too much waits, 503 when the connection ends first
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

/** What bounds connections. */
export interface ConnectionLimitDeps {
  limits: Limits;
  trustsProxy: TrustsProxy;
  /** How long a connection may take nothing of what was sent, in milliseconds. */
  stuck: number;
}

/**
 * Bounds what a connection may cost, before it has said who it is. Refused are those beyond what one address may have
 * open; ended are those that send without measure, alone or with others of their address (what asks for an answer is told `RATE_LIMITED` long before), and those
 * that do not take what they are sent, instead of keeping it for them: whoever comes back gets it by `sync`.
 * @returns what stops looking after them
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
    const known = addresses.get(from) ?? { address: from, open: 0 };
    addresses.set(from, known);
    known.open++;
    const nothing = {
      poll: null,
      waitingChars: 0,
      waitingPackets: 0,
      untaken: 0,
      stuckSince: 0,
      lastAsk: null,
      asks: 0,
    };
    return { address: known.address, ...nothing };
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

/** What is handed to the network counts as taken here, so that one large answer is not held against anybody at once. */
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
