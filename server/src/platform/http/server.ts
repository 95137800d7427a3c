import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressKey, type TrustsProxy } from './address.ts';
import type { Limits } from './limits/limits.ts';

/** Timeouts for slow and silent clients, in milliseconds. */
const TIMEOUTS_MS = {
  /** From the connection to the last header. */
  headersTimeout: 10_000,
  /** From the first byte of the body to the last: enough for ten megabytes over a mobile connection. */
  requestTimeout: 120_000,
  /**
   * Between two requests: longer than the proxies in front wait, so that they never reuse a connection that is just closing.
   */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
} satisfies ServerOptions;

/** An answer that nobody reads for so long is cut off, because it takes memory. */
const UNREAD_MAX_MS = 20_000;

/**
 * A server that drops connections which send nothing, or only slowly, and those which do not read their answer. One that is read
 * slowly goes on. It does not listen yet.
 */
export function createHttpServer(
  listener: RequestListener,
  { unreadMaxMs = UNREAD_MAX_MS, ...timeouts }: Partial<typeof TIMEOUTS_MS & { unreadMaxMs: number }> = {},
): Server {
  return createServer({ ...TIMEOUTS_MS, ...timeouts }, (req, res) => {
    res.setTimeout(unreadMaxMs, cutOffUnread);
    listener(req, res);
  });
}

/** Node counts the time since data was last read or sent; an answer that is still being made has nothing to read. */
function cutOffUnread(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy();
}

/**
 * Does something once, when an answer has been sent or its connection is gone. An answer behind others of its connection
 * (pipelining) gets no `close` of its own when that breaks off.
 */
export function whenClosed(res: ServerResponse<IncomingMessage>, work: () => void): void {
  const { socket } = res.req;
  if (res.closed || socket.destroyed) {
    work();
    return;
  }
  const done = () => {
    res.off('close', done);
    socket.off('close', done);
    work();
  };
  // One listener for each answer that waits: their number has bounds of its own.
  socket.setMaxListeners(0);
  res.once('close', done);
  socket.once('close', done);
}

/**
 * Listens.
 * @param report receives later errors, such as a connection that failed for lack of file handles; they do not stop the
 *   server
 * @returns the port
 * @throws the error that prevented listening
 */
export async function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  report: (error: Error) => void,
): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', report);
  return (server.address() as AddressInfo).port;
}

/**
 * Refuses connections of an address above its limit, before reading from them. Connections of a trusted proxy carry many
 * clients, and are not counted.
 */
export function boundPerAddress(
  server: Server,
  { limits, trustsProxy }: { limits: Limits; trustsProxy: TrustsProxy },
): void {
  const open = new Map<string, number>();
  const maxOpen = limits.max('connectionsPerIp');
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (trustsProxy(remoteAddress, 0)) return;
    const address = addressKey(remoteAddress);
    const before = open.get(address) ?? 0;
    if (before >= maxOpen) {
      socket.destroy();
      return;
    }
    open.set(address, before + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

const IDLE_EVERY_MS = 100;

/**
 * Closes the connections that a graceful stop would wait for.
 * @returns a function that closes connections without a request (browsers open some in advance), those that come later, and
 *   those whose last answer has been sent since
 */
export function closeIdleConnections(server: Server): () => void {
  const open = new Set<Socket>();
  let stopping = false;
  server.on('connection', (socket) => {
    if (stopping) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    stopping = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    const looking = setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS).unref();
    server.once('close', () => clearInterval(looking));
  };
}
