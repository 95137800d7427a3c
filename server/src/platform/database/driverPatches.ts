import type { mongo } from 'mongoose';

// Patches for private parts of MongoDB's driver, version 7.8.

/** One connection of a pool, or the one that watches the server. */
interface DriverConnection {
  socket: NodeJS.EventEmitter;
  cleanup(error: Error): void;
}

interface DriverInside {
  topology?: {
    s: { servers: Map<string, { pool: { options: object }; monitor: { connection: DriverConnection | null } }> };
  };
}

const POOL_CHECK_EVERY_MS = 60_000;

const mended = new WeakSet<DriverConnection>();

/** Patches the driver of a client that has just connected. */
export function patchDriver(client: mongo.MongoClient): void {
  for (const { pool, monitor } of (client as DriverInside).topology?.s.servers.values() ?? []) {
    calmPool(pool);
    if (monitor.connection) endWritesOfClosed(Object.getPrototypeOf(monitor.connection));
  }
}

/**
 * Slows down the check of a pool. It runs ten times a second to keep a minimum of connections, which is zero here; the driver
 * does not pass the option for its interval on.
 */
function calmPool(pool: { options: object }): void {
  pool.options = { ...pool.options, minPoolSizeCheckFrequencyMS: POOL_CHECK_EVERY_MS };
}

/**
 * Ends a command whose connection closes while it is written. The driver waits for the socket's `drain` only, also on a socket that is destroyed already, but whose `close` has not come yet: the command never ends, and if it is the
 * one that watches the server, the server never counts as there again. Connections that break together, as with a database
 * that restarts, come to that often.
 */
function endWritesOfClosed(connection: DriverConnection): void {
  if (mended.has(connection)) return;
  mended.add(connection);
  const { cleanup } = connection;
  connection.cleanup = function (error) {
    cleanup.call(this, error);
    // It finds the connection's error as soon as it goes on.
    this.socket.emit('drain');
  };
}
