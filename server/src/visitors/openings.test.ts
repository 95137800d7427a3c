import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectVisitor, type Ear, hangUp } from '../../test/sockets.ts';
import { rooms, type VisitorNamespace } from '../namespaces.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { broadcastOpenings } from './broadcast.ts';

const MONDAY = Date.parse('2026-03-02T00:00:00Z');
const HOUR_MS = 3_600_000;

let server: TestServer;
let owner: Account;
let http: HttpServer;
let namespace: VisitorNamespace;
let presence: Presence;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  presence = createPresence({ graceMs: 0 });
  presence.agentArrived(owner.user._id, true);
  http = createServer().listen(0);
  namespace = new Server(http).of('/visitor') as VisitorNamespace;
  namespace.use((socket, next) => {
    Object.assign(socket.data, { siteId: socket.handshake.auth.visitorToken });
    void socket.join(rooms.site(socket.data.siteId));
    next();
  });
});
afterAll(async () => {
  hangUp();
  presence.stop();
  http.closeAllConnections();
  http.close();
  await server.stop();
});

/** A widget on a site that is open on Mondays from nine to five, or at any time. */
async function widget(hours: boolean): Promise<Ear> {
  const site = await createSite(server.api, owner.token);
  const days = [{ day: 1, from: '09:00', to: '17:00' }];
  const settings = { hours: hours ? { timeZone: 'UTC', days } : null };
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings } });
  return connectVisitor(`http://localhost:${(http.address() as AddressInfo).port}`, site._id);
}

const look = (fromHour: number, toHour: number) =>
  broadcastOpenings(namespace, { presence, now: () => MONDAY + toHour * HOUR_MS }, MONDAY + fromHour * HOUR_MS);

test('open widgets are notified when the office hours begin and end, and at no other time', async () => {
  const [office, always] = [await widget(true), await widget(false)];
  await look(7, 8);
  await look(8, 9);
  await look(9, 10);
  await look(16, 17);
  await until(async () => office.heard('availability').length >= 2);
  expect(office.heard('availability')).toEqual([{ online: true }, { online: false }]);
  expect(always.heard('availability')).toEqual([]);
});
