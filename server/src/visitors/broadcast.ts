import { openChatOf } from '../chats/lifecycle.ts';
import { events } from '../events.ts';
import { type Namespaces, rooms, type VisitorNamespace } from '../namespaces.ts';
import { mapPerServer } from '../scope.ts';
import { liveSite, sitesOf, sitesOwnedBy } from '../sites/guards.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { isOpen, siteIsOnline } from '../sites/officeHours.ts';
import { allowsOrigin } from '../sites/origins.ts';
import type { VisitorEndReason } from './contract.ts';
import { type VisitorDoc, visitorCache } from './model.ts';
import { type ConfigDeps, visitorDetailsView, widgetConfig } from './view.ts';

/** Emits to widgets what happens on their site, and to staff which visitors come and go. @returns a disposer */
export function broadcastVisitors(namespaces: Namespaces, around: ConfigDeps): () => void {
  const { staff, visitors } = namespaces;
  const restyle = async (site: SiteDoc) => {
    const config = await widgetConfig(site, around);
    rememberAnnounced(site, config.online);
    if (configChangedAt.size >= SITES_MAX) configChangedAt.clear();
    configChangedAt.set(site._id.toHexString(), performance.now());
    visitors.local.to(rooms.site(site._id.toHexString())).emit('config_changed', { config });
  };
  const tellStaff = (visitor: VisitorDoc, site: SiteDoc) => {
    const { name, email } = visitor;
    const [visitorId, siteId] = [visitor._id.toHexString(), site._id.toHexString()];
    staff.local
      .to(rooms.site(siteId))
      .emit('visitor_updated', { visitorId, siteId, name, email, ...visitorDetailsView(visitor) });
  };
  const announceAvailability = ({ site }: { site: SiteDoc }) => {
    const online = siteIsOnline(site, around.presence, around.now());
    if (announcedOnline.get(site._id.toHexString()) !== online) emitAvailability(visitors, site, online);
  };
  return events.stopAll([
    events.everywhere('siteUpdated', async ({ site, fields }) => {
      if (!site.widgetEnabled) return end(visitors, siteRoom(site), 'widget_disabled');
      if (fields.includes('settings.allowedDomains')) await endElsewhere(visitors, site);
      return restyle(site);
    }),
    events.everywhere('siteHandedOver', ({ site }) => restyle(site)),
    events.everywhere('launcherChanged', async ({ owner }) => {
      for (const site of await sitesOwnedBy(owner)) await restyle(site);
    }),
    events.everywhere('visitorErased', ({ visitor, site }) => {
      const visitorId = visitor._id.toHexString();
      const siteId = site._id.toHexString();
      end(visitors, rooms.visitor(visitorId), 'erased');
      if (!visitor.bot) staff.local.to(rooms.site(siteId)).emit('visitor_erased', { visitorId, siteId });
    }),
    events.everywhere('visitorUpdated', async ({ visitor, site }) => {
      if (visitor.bot || !(site.settings.visitorPages || (await openChatOf(visitor._id)))) return;
      tellStaff(visitor, site);
    }),
    events.everywhere('visitorEdited', ({ visitor, site }) => {
      if (!visitor.bot) tellStaff(visitor, site);
    }),
    events.everywhere('widgetCodeChanged', ({ site }) => end(visitors, siteRoom(site), 'code_changed')),
    events.everywhere('siteDeleted', ({ site }) => end(visitors, siteRoom(site), 'site_deleted')),
    events.everywhere('agentChanged', async ({ userId }) => {
      for (const site of await sitesOf(userId)) announceAvailability({ site });
    }),
    events.everywhere('memberChanged', announceAvailability),
    events.everywhere('memberRemoved', announceAvailability),
    events.everywhere('visitorChanged', async ({ visitorId, siteId, online }) => {
      if (!staff.adapter.rooms.has(rooms.site(siteId))) return;
      const visitor = await visitorCache.find(visitorId);
      if (!visitor || visitor.bot || visitor.erasedAt) return;
      const [chat, site] = await Promise.all([openChatOf(visitor._id), liveSite(siteId)]);
      if (!chat && !site?.settings.visitorPages) return;
      const at = chat ? { chatId: chat._id.toHexString() } : {};
      const fact = { kind: 'visitor' as const, visitorId, siteId, ...at };
      staff.local.to(rooms.site(siteId)).emit(online ? 'user_online' : 'user_offline', fact);
    }),
  ]);
}

/** As many sites are remembered in each map; beyond that it is cleared. */
const SITES_MAX = 20_000;
/** A page that loaded its config connects within this time, on a slow line, too. */
const CONNECTS_WITHIN_MS = 60_000;
/** When the config of each site last changed, by `performance.now`. */
const configChangedAt = mapPerServer<string, number>();

/** Whether a widget that connects now may have loaded an older config. */
export function configChangedLately(siteId: string): boolean {
  return performance.now() - (configChangedAt.get(siteId) ?? Number.NEGATIVE_INFINITY) < CONNECTS_WITHIN_MS;
}

/**
 * What was last announced to all widgets of each site: whether somebody is available. A widget that connects later gets the
 * current value on its own, so a forgotten or older one costs a packet, and never leaves a widget with a wrong one.
 */
const announcedOnline = mapPerServer<string, boolean>();

function rememberAnnounced(site: SiteDoc, online: boolean): void {
  if (announcedOnline.size >= SITES_MAX) announcedOnline.clear();
  announcedOnline.set(site._id.toHexString(), online);
}

function emitAvailability(namespace: VisitorNamespace, site: SiteDoc, online: boolean): void {
  rememberAnnounced(site, online);
  namespace.local.to(siteRoom(site)).emit('availability', { online });
}

const siteRoom = (site: SiteDoc) => rooms.site(site._id.toHexString());

/**
 * Disconnects widgets on pages that may no longer carry them. They reconnect, and the error of the handshake says why
 * they are refused.
 */
async function endElsewhere(namespace: VisitorNamespace, site: SiteDoc): Promise<void> {
  const { allowedDomains } = site.settings;
  for (const socket of await namespace.local.in(siteRoom(site)).fetchSockets())
    if (!allowsOrigin(allowedDomains, socket.handshake.headers.origin)) socket.disconnect(true);
}

function end(namespace: VisitorNamespace, room: string, reason: VisitorEndReason): void {
  namespace.local.in(room).emit('session_ended', { reason });
  namespace.local.in(room).disconnectSockets(true);
}

/** Whether a site is open depends on these, besides the site itself. */
type Clocked = Pick<ConfigDeps, 'presence' | 'now'>;

const LOOK_EVERY_MS = 30_000;
const BATCH = 100;

/** Informs open widgets when their site's office hours begin and end. @returns a disposer */
export function broadcastOfficeHours(namespace: VisitorNamespace, around: Clocked): () => void {
  let last = around.now();
  const timer = setInterval(() => {
    const since = last;
    last = around.now();
    broadcastOpenings(namespace, around, since).catch((error) => events.fail(error, 'office hours'));
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Informs the widgets of this process whose site has opened or closed since a time. @param since milliseconds */
export async function broadcastOpenings(
  namespace: VisitorNamespace,
  { presence, now }: Clocked,
  since: number,
): Promise<void> {
  const at = now();
  const ids = [...new Set([...namespace.sockets.values()].map(({ data }) => data.siteId))];
  for (let from = 0; from < ids.length; from += BATCH) {
    const sites = await SiteModel.find({ _id: { $in: ids.slice(from, from + BATCH) }, deletedAt: null }).lean<
      SiteDoc[]
    >();
    for (const site of sites) {
      const { hours } = site.settings;
      if (isOpen(hours, since) === isOpen(hours, at)) continue;
      emitAvailability(namespace, site, siteIsOnline(site, presence, at));
    }
  }
}
