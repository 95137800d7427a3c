import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { VISITOR_NAMESPACE } from '../contract.ts';
import { type DoorDeps, guardStaff, staffDoor } from './auth/door.ts';
import { authSocket } from './auth/socket.ts';
import { announceChats } from './chats/announce.ts';
import type { ChatDoc } from './chats/model.ts';
import { chatSocket } from './chats/socket.ts';
import { createTyping } from './chats/typing.ts';
import { announceViewers, viewersOf } from './chats/viewers.ts';
import type { TrustsProxy } from './http/address.ts';
import type { Metrics } from './http/metrics.ts';
import { boundConnections, PEER_PATIENCE } from './http/peers.ts';
import { forgetOwnOrigin } from './http/resume.ts';
import { type Hubs, rooms } from './hub.ts';
import type { Mail } from './mail/mail.ts';
import type { UsualReply } from './overview/usual.ts';
import type { Presence } from './presence/presence.ts';
import { announceSites, joinSites, watchRooms } from './sites/socket.ts';
import { announceTeams } from './team/announce.ts';
import { announceStorage } from './usage/announce.ts';
import type { Usage } from './usage/counter.ts';
import { announceVisitors } from './visitors/announce.ts';
import { guardVisitors, visitorDoor } from './visitors/door.ts';
import { announceOpenings } from './visitors/openings.ts';
import { factsOf } from './visitors/person.ts';
import { visitorSocket, welcomeVisitor } from './visitors/socket.ts';

const PACKET_MAX_BYTES = 64 * 1024;

/** What the real-time side is made of. */
export interface RealtimeDeps extends DoorDeps {
  presence: Presence;
  metrics: Metrics;
  /** Milliseconds */
  now: () => number;
  usualReply: UsualReply;
  mail: Pick<Mail, 'enabled'>;
  trustsProxy: TrustsProxy;
  usage: Usage;
  /** The product's own origin, if it is known. */
  publicUrl: string | null;
  /** Other patience than usual. */
  patience?: Partial<typeof PEER_PATIENCE> | undefined;
}

/** The real-time side. */
export interface Realtime {
  /** The ids of those who have a chat open. */
  viewersOf(chat: ChatDoc): Promise<Set<string>>;
  /** Closes every socket and stops listening to the bus. */
  close(): Promise<void>;
}

/** The hub with its two namespaces, one line per feature. */
export function createRealtime(http: HttpServer, deps: RealtimeDeps): Realtime {
  const patience = { ...PEER_PATIENCE, ...deps.patience };
  const io = new Server(http, {
    cors: { origin: '*' },
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: PACKET_MAX_BYTES,
    connectTimeout: patience.handshake,
  });
  const hubs: Hubs = { staff: io.of('/'), visitors: io.of(VISITOR_NAMESPACE) };

  const typing = createTyping();
  io.engine.use(forgetOwnOrigin(deps.publicUrl));

  const stops = [
    typing.stop,
    boundConnections(io, { ...deps, stuck: patience.stuck }),
    guardStaff(hubs.staff, deps),
    announceSites(hubs.staff),
    watchRooms(hubs.staff),
    announceTeams(hubs.staff),
    announceChats(hubs.staff),
    announceStorage(hubs.staff),
    announceViewers(hubs.staff),
    announceVisitors(hubs, deps),
    announceOpenings(hubs.visitors, deps),
  ];
  guardVisitors(hubs.visitors, deps.limits);
  for (const hub of Object.values(hubs)) deps.metrics.watchSockets(hub.name, () => hub.sockets.size);

  hubs.staff.on('connection', (socket) => {
    const door = staffDoor(socket, deps, joinSites(socket));
    authSocket(door, deps);
    chatSocket(door, { ...deps, typing, factsOf });
  });
  hubs.visitors.on('connection', (socket) => welcomeVisitor(deps.presence, socket));
  visitorSocket(visitorDoor(hubs.visitors, deps), { ...deps, typing });

  return {
    viewersOf: ({ _id, site }) => viewersOf(hubs.staff, rooms.chat(site.toHexString(), _id.toHexString())),
    async close() {
      for (const stop of stops) stop();
      await io.close();
    },
  };
}
