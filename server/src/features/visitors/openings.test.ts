import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, dial, hangUp } from '#test/sockets';
import type { OfficeHours, Site, SiteAvailability } from '../../../contract.ts';
import { type Namespaces, rooms } from '../../platform/events/namespaces.ts';
import { createPresence, type Presence } from '../presence/presence.ts';
import { broadcastOpenings } from './availability.ts';

const MONDAY = Date.parse('2026-03-02T00:00:00Z');
const HOUR_MS = 3_600_000;

let server: TestServer;
let owner: Account;
let http: HttpServer;
let namespaces: Namespaces;
let presence: Presence;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 10 });
  owner = await signUp(server.api);
  presence = createPresence({ graceMs: 0 });
  presence.agentArrived(owner.user._id, true);
  http = createServer().listen(0);
  const io = new Server(http);
  namespaces = { staff: io.of('/'), visitors: io.of('/visitor') } as Namespaces;
  for (const namespace of [io.of('/'), io.of('/visitor')])
    namespace.use((socket, next) => {
      void socket.join(rooms.site(socket.handshake.auth.siteId));
      next();
    });
});
afterEach(hangUp);
afterAll(async () => {
  presence.stop();
  http.closeAllConnections();
  http.close();
  await server.stop();
});

const HOURS = { timeZone: 'UTC', days: [{ day: 1, from: '09:00', to: '17:00' }] };

const ALWAYS = { timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, from: '00:00', to: '24:00' })) };

/** A site with these office hours; null: open at any time. */
async function siteWith(hours: OfficeHours | null): Promise<Site> {
  const site = await createSite(server.api, owner.token);
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings: { hours } } });
  return site;
}
const open = ({ _id }: Site, path = '') =>
  dial(`http://localhost:${(http.address() as AddressInfo).port}${path}`, { siteId: _id });

const look = (fromHour: number, toHour: number) =>
  broadcastOpenings(namespaces, { presence, now: () => MONDAY + toHour * HOUR_MS }, MONDAY + fromHour * HOUR_MS);

test('widgets and dashboards are notified when the office hours begin and end, and at no other time', async () => {
  const [office, always] = [await siteWith(HOURS), await siteWith(null)];
  const [widget, quiet] = [await open(office, '/visitor'), await open(always, '/visitor')];
  const dashboard = await open(office);
  await look(7, 8);
  await look(8, 9);
  await look(9, 10);
  await look(16, 17);
  await until(async () => widget.heard('availability').length >= 2);
  expect(widget.heard('availability')).toEqual([
    { online: true },
    { online: false, opensAt: '2026-03-09T09:00:00.000Z' },
  ]);
  expect(quiet.heard('availability')).toEqual([]);
  await until(async () => dashboard.heard('site_availability').length >= 2);
  const siteId = office._id;
  expect(dashboard.heard('site_availability')).toEqual([
    { sites: [{ siteId, open: true, online: true }] },
    { sites: [{ siteId, open: false, online: false, opensAt: '2026-03-09T09:00:00.000Z' }] },
  ]);
});

test('a holiday closes the site, and dashboards hear its name when its day begins', async () => {
  const holidays = [{ date: '2026-03-09', name: 'Founding Day', yearly: false }];
  const days = [1, 2].map((day) => ({ day, from: '09:00', to: '17:00' }));
  const site = await siteWith({ timeZone: 'UTC', days, holidays });
  const dashboard = await open(site);
  const [sunday, noon] = [6 * 24, 7 * 24 + 12];
  await look(sunday + 22, sunday + 23);
  await look(sunday + 23, sunday + 24);
  await look(noon - 4, noon);
  const opensAt = '2026-03-10T09:00:00.000Z';
  await until(async () => dashboard.heard('site_availability').length > 0);
  expect(dashboard.heard('site_availability')).toEqual([
    { sites: [{ siteId: site._id, open: false, online: false, opensAt, holiday: 'Founding Day' }] },
  ]);
});

test('a page learns when a closed site opens, but not in offline mode, nor when it is only that nobody is there', async () => {
  const site = await siteWith(ALWAYS);
  const config = async () => (await server.api(`GET /widget/${site.widgetCode}`)).body.data;
  const change = (settings: object) =>
    server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings } });
  expect(await config()).toMatchObject({ online: false });
  expect((await config()).opensAt).toBeUndefined();
  // Three days, so that it is closed also if midnight comes meanwhile.
  const days = [-1, 0, 1, 2].map((ahead) => new Date(Date.now() + ahead * 24 * HOUR_MS).toISOString().slice(0, 10));
  const holidays = days.slice(0, 3).map((date) => ({ date, name: 'Closed', yearly: false }));
  await change({ hours: { ...ALWAYS, holidays } });
  expect((await config()).opensAt).toBe(`${days[3]}T00:00:00.000Z`);
  await change({ offlineMode: true });
  expect((await config()).opensAt).toBeUndefined();
});

test('a dashboard knows whether visitors find somebody: after connecting, and when that changes', async () => {
  const site = await siteWith(null);
  const ear = await connectStaff(server.url, owner.token);
  const said = () =>
    ear
      .heard('site_availability')
      .flatMap(({ sites }: { sites: SiteAvailability[] }) => sites)
      .filter(({ siteId }) => siteId === site._id)
      .at(-1);
  await until(async () => said()?.online);
  expect(said()).toEqual({ siteId: site._id, open: true, online: true });
  await ear.ask('set_availability', { online: false });
  await until(async () => said()?.online === false);
  expect(said()?.open).toBe(true);
  await ear.ask('set_availability', { online: true });
  await until(async () => said()?.online);
  const body = { settings: { hours: { timeZone: 'UTC', days: [] } } };
  await server.api(`PATCH /sites/${site._id}`, { token: owner.token, body });
  await until(async () => said()?.open === false);
  expect(said()?.online).toBe(false);
});
