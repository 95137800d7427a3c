import type { StaffRouter } from '#features/auth';
import {
  departmentsForVisitors,
  departmentsOf,
  holidayAt,
  hoursOfDepartment,
  isOpen,
  liveSite,
  type SiteDoc,
  SiteModel,
  visitorAvailability,
} from '#features/sites';
import type { SiteAvailability } from '#features/sites/hours/contract';
import { recentlyUsed } from '#platform/cache';
import { events, type Namespaces, rooms, type StaffNamespace } from '#platform/events';
import type { VisitorEvents } from './contract.ts';
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
 * What was last announced to all widgets of each site: whether somebody is available, there and in its departments. A widget that connects later gets the
 * current value on its own, so a forgotten or older one costs a packet, and never leaves a widget with a wrong one.
 */
const announced = recentlyUsed<string>(SITES_MAX);

/** Records what open widgets know. */
export function rememberAnnounced(site: SiteDoc, around: Around): void {
  announced.set(site._id.toHexString(), keyOf(availabilityForVisitors(site, around)));
}

type Availability = Parameters<VisitorEvents['availability']>[0];

/** Whether visitors find somebody, on the site and in each department that they may choose. */
export function availabilityForVisitors(site: SiteDoc, { presence, now }: Around): Availability {
  const at = now();
  const departments = departmentsForVisitors(site, presence, at).map(({ name: _, ...state }) => state);
  return { ...visitorAvailability(site, presence, at), ...(departments.length > 0 && { departments }) };
}

/** Equal for what visitors need not be told again: times of opening follow from what they know. */
const keyOf = ({ online, departments = [] }: Availability) =>
  JSON.stringify([online, departments.filter((each) => each.online).map(({ _id }) => _id)]);

function availabilityOf(site: SiteDoc, { presence, now }: Around): SiteAvailability {
  const at = now();
  const { hours } = site.settings;
  const holiday = holidayAt(hours, at);
  return {
    siteId: site._id.toHexString(),
    open: isOpen(hours, at),
    ...visitorAvailability(site, presence, at),
    ...(holiday && { holiday: holiday.name }),
  };
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
  const key = keyOf(availabilityForVisitors(site, around));
  if (announced.get(site._id.toHexString()) !== key) announce(namespaces, site, around);
}

function announce({ staff, visitors }: Namespaces, site: SiteDoc, around: Around): void {
  rememberAnnounced(site, around);
  const availability = availabilityForVisitors(site, around);
  visitors.local.to(rooms.site(site._id.toHexString())).emit('availability', availability);
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
    const withHours = [{ 'settings.hours': { $ne: null } }, { 'departments.list.hours.timeZone': { $exists: true } }];
    const sites = await SiteModel.find({ _id, deletedAt: null, $or: withHours }).lean<SiteDoc[]>();
    for (const site of sites) {
      const { hours } = site.settings;
      const all = [hours, ...departmentsOf(site).map((each) => hoursOfDepartment(site, each))];
      if (all.some((each) => isOpen(each, since) !== isOpen(each, at))) announce(namespaces, site, around);
      // A day that begins or ends while it is closed: the agents see another reason.
      else if (holidayAt(hours, since) !== holidayAt(hours, at)) broadcastToDashboards(namespaces.staff, site, around);
    }
  }
}
