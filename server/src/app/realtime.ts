import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { VISITOR_NAMESPACE } from '#contract';
import { routeStaffEvents } from '#features/auth';
import { joinSites } from '#features/sites';
import { guardVisitors, routeVisitorEvents, welcomeVisitor } from '#features/visitors';
import type { Namespaces } from '#platform/events';
import { boundConnections, corkWrites, exemptOwnPages, PEER_TIMEOUTS_MS, type TrustsProxy } from '#platform/http';
import type { Context } from './context.ts';
import type { Feature } from './feature.ts';

const PACKET_MAX_BYTES = 64 * 1024;
/** Over this time all connections are ended, so that not all clients come back at once. */
const HANG_UP_MS = 3_000;

/** The real-time server. */
export interface Realtime {
  /** Ends all connections within a few seconds: clients connect again, and ask for what they missed. */
  hangUp(): void;
  namespaces: Namespaces;
  /** Closes every socket and stops listening to events. Idempotent: further calls wait for the same close. */
  close(): Promise<void>;
}

/** Creates the two namespaces and registers the socket events and broadcasts of each feature. */
export function createRealtime(
  http: HttpServer,
  features: Feature[],
  context: Context & { trustsProxy: TrustsProxy },
): Realtime {
  const peerTimeouts = { ...PEER_TIMEOUTS_MS, ...context.peerTimeouts };
  const io = new Server(http, {
    cors: { origin: '*' },
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: PACKET_MAX_BYTES,
    connectTimeout: peerTimeouts.handshake,
  });
  const namespaces: Namespaces = { staff: io.of('/'), visitors: io.of(VISITOR_NAMESPACE) };
  const { staff, visitors } = namespaces;
  const sockets = features.flatMap((feature) => feature.sockets ?? []);

  io.engine.use(exemptOwnPages(context.publicUrl));
  const stops = [
    boundConnections(io, { ...context, stuck: peerTimeouts.stuck }),
    ...sockets.flatMap(({ broadcast }) => broadcast?.(namespaces, context) ?? []),
  ];
  guardVisitors(visitors, context.limits);
  context.longPolls.attach(io, peerTimeouts.poll);
  for (const namespace of [staff, visitors]) context.metrics.watchSockets(namespace.name, () => namespace.sockets.size);

  staff.on('connection', (socket) => {
    corkWrites(socket.conn);
    const router = routeStaffEvents(socket, context, joinSites(socket));
    for (const feature of sockets) feature.staff?.(router, context);
  });
  visitors.on('connection', (socket) => welcomeVisitor(context, socket));
  const router = routeVisitorEvents(visitors, context);
  for (const feature of sockets) feature.visitors?.(router, context);

  async function close(): Promise<void> {
    for (const stop of stops) await stop();
    await io.close();
  }
  function hangUp(): void {
    for (const { conn } of [...staff.sockets.values(), ...visitors.sockets.values()])
      setTimeout(() => conn.close(), Math.random() * HANG_UP_MS).unref();
  }

  let closing: Promise<void> | undefined;
  return {
    namespaces,
    hangUp,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
