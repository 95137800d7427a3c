import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, createSite, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectVisitor, hangUp } from '#test/sockets';
import type { Site, VisitorSession } from '../../../contract.ts';
import { rooms, type VisitorNamespace } from '../../platform/events/namespaces.ts';
import { boundConnections, PEER_TIMEOUTS_MS } from '../../platform/http/limits/connectionLimits.ts';
import { createLimits } from '../../platform/http/limits/limits.ts';
import { createAssistance } from '../assistant/begin.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { createLongPolls } from './session/longPoll.ts';
import { guardVisitors, routeVisitorEvents } from './socket.ts';

let server: TestServer;
let http: HttpServer;
let owner: Account;
let site: Site;
let session: VisitorSession;
/** Lets those in who have been found to be welcome. */
let open: () => void;
let namespace: VisitorNamespace;
let found: number;
let undo: () => void;
let presence: Presence;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api);
  http = createServer().listen(0);
  const limits = createLimits({ on: true });
  const io = new Server(http);
  undo = boundConnections(io, { limits, trustsProxy: () => false, stuck: PEER_TIMEOUTS_MS.stuck });
  namespace = io.of('/visitor');
  guardVisitors(namespace, limits);
  // Between the question who it is and the rooms: as long as the test likes.
  namespace.use(async (_socket, next) => {
    found++;
    await new Promise<void>((resolve) => {
      open = resolve;
    });
    next();
  });
  presence = createPresence({ graceMs: 0 });
  routeVisitorEvents(namespace, {
    limits,
    report: () => {},
    metrics: { acked: () => {} },
    longPolls: createLongPolls(limits),
    presence,
    now: Date.now,
    usualReply: async () => null,
    mail: { enabled: false },
    assistance: createAssistance({ hasModel: false, presence, limits, now: Date.now }),
  });
});
beforeEach(async () => {
  found = 0;
  site = await createSite(server.api, owner.token);
  session = await visit(server.api, site);
});
afterAll(async () => {
  hangUp();
  undo();
  presence.stop();
  http.closeAllConnections();
  http.close();
  await server.stop();
});

const asOwner = (call: string, body: object = {}) => server.api(call, { token: owner.token, body });

test('a visitor who connects while the team comes online is told that it is', async () => {
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  expect(session.config.online).toBe(false);
  const dialling = connectVisitor(url, session.visitorToken);
  await until(async () => found > 0);
  presence.agentArrived(owner.user._id, true);
  open();
  const ear = await dialling;
  await until(async () => ear.heard('availability').length > 0);
  expect(ear.heard('availability')).toEqual([{ online: true }]);
});

test.each<[string, () => Promise<{ status: number }>]>([
  ['the visitor is erased', () => asOwner(`DELETE /visitors/${session.visitor._id}`)],
  ['the site is deleted', () => asOwner(`DELETE /sites/${site._id}`)],
  ['the widget is switched off', () => asOwner(`PATCH /sites/${site._id}`, { widgetEnabled: false })],
  [
    'its domain is removed from the allowed ones',
    () => asOwner(`PATCH /sites/${site._id}`, { settings: { allowedDomains: ['elsewhere.example.com'] } }),
  ],
])('a visitor who connects while %s is disconnected and joins no room', async (_what, change) => {
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const dialling = connectVisitor(url, session.visitorToken, { Origin: 'https://shop.example.com' });
  await until(async () => found > 0);
  expect((await change()).status).toBe(200);
  open();
  const { socket } = await dialling;
  await until(async () => !socket.connected);
  for (const room of [rooms.visitor(session.visitor._id), rooms.site(site._id)])
    expect(namespace.adapter.rooms.has(room)).toBe(false);
});
