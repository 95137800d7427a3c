import type { StaffRouter } from '#features/auth';
import { isOpen, liveSite, type SiteDoc, SiteModel, siteIsOnline } from '#features/sites';
import type { SiteAvailability } from '#features/sites/contract';
import { recentlyUsed } from '#platform/cache';
import { events, type Namespaces, rooms, type StaffNamespace } from '#platform/events';
import type { ConfigDeps } from './view.ts';

declare module '#platform/events' {
  interface Events {
    /** The widgets of this node were told whether somebody is available. */
    availabilityAnnounced: { site: SiteDoc };
  }
}

/** Whether visitors find somebody depends on these, besides the site itself. */
type Around = Pick<ConfigDeps, 'presence' | 'now'>;

/** As many sites are remembered. */
export const SITES_MAX = 20_000;

/**
 * What was last announced to all widgets of each site: whether somebody is available. A widget that connects later gets the
 * current value on its own, so a forgotten or older one costs a packet, and never leaves a widget with a wrong one.
 */
const announcedOnline = recentlyUsed<boolean>(SITES_MAX);

/** Records what open widgets know. */
export function rememberAnnounced(site: SiteDoc, online: boolean): void {
  announcedOnline.set(site._id.toHexString(), online);
}

function availabilityOf(site: SiteDoc, { presence, now }: Around): SiteAvailability {
  const at = now();
  const open = isOpen(site.settings.hours, at);
  return { siteId: site._id.toHexString(), open, online: siteIsOnline(site, presence, at) };
}

/** Tells the site's dashboards whether visitors find somebody. */
export function broadcastToDashboards(staff: StaffNamespace, site: SiteDoc, around: Around): void {
  const room = rooms.site(site._id.toHexString());
  if (staff.adapter.rooms.has(room))
    staff.local.to(room).emit('site_availability', { sites: [availabilityOf(site, around)] });
}

/** Tells a dashboard that has just connected whether visitors find somebody on each of its sites. */
export function sendToNewDashboard({ socket, joined }: StaffRouter, around: Around): void {
  const broadcast = async () => {
    await joined;
    const ids = [...socket.rooms].flatMap((room) => rooms.siteIn(room) ?? []);
    const sites = await Promise.all([...new Set(ids)].map(liveSite));
    const known = sites.flatMap((site) => (site ? [availabilityOf(site, around)] : []));
    socket.emit('site_availability', { sites: known });
  };
  broadcast().catch((error) => events.fail(error, 'availability'));
}

/** Tells the site's widgets and dashboards whether somebody is available, unless its widgets know it already. */
export function announceIfChanged(namespaces: Namespaces, site: SiteDoc, around: Around): void {
  const online = siteIsOnline(site, around.presence, around.now());
  if (announcedOnline.get(site._id.toHexString()) !== online) announce(namespaces, site, around);
}

function announce({ staff, visitors }: Namespaces, site: SiteDoc, around: Around): void {
  const online = siteIsOnline(site, around.presence, around.now());
  rememberAnnounced(site, online);
  visitors.local.to(rooms.site(site._id.toHexString())).emit('availability', { online });
  broadcastToDashboards(staff, site, around);
  void events.emit('availabilityAnnounced', { site });
}

const LOOK_EVERY_MS = 30_000;
const BATCH = 100;

/** Informs open widgets and dashboards when their sites' office hours begin and end. @returns a disposer */
export function broadcastOfficeHours(namespaces: Namespaces, around: Around): () => void {
  let last = around.now();
  const timer = setInterval(() => {
    const since = last;
    last = around.now();
    broadcastOpenings(namespaces, around, since).catch((error) => events.fail(error, 'office hours'));
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Informs the widgets and dashboards of this process whose site has opened or closed since a time. @param since milliseconds */
export async function broadcastOpenings(namespaces: Namespaces, around: Around, since: number): Promise<void> {
  const at = around.now();
  const joined = [namespaces.staff, namespaces.visitors].flatMap(({ adapter }) => [...adapter.rooms.keys()]);
  const ids = [...new Set(joined.flatMap((room) => rooms.siteIn(room) ?? []))];
  for (let from = 0; from < ids.length; from += BATCH) {
    const _id = { $in: ids.slice(from, from + BATCH) };
    const sites = await SiteModel.find({ _id, deletedAt: null, 'settings.hours': { $ne: null } }).lean<SiteDoc[]>();
    for (const site of sites) {
      const { hours } = site.settings;
      if (isOpen(hours, since) !== isOpen(hours, at)) announce(namespaces, site, around);
    }
  }
}
