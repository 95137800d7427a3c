import { openChatOf } from '#features/chats';
import { allowsOrigin, liveSite, type SiteDoc, sitesOfUser, sitesOwnedBy } from '#features/sites';
import { WIDGET_LANGUAGES } from '#features/sites/texts/contract';
import { recentlyUsed } from '#platform/cache';
import { events, type Namespaces, rooms, type VisitorNamespace } from '#platform/events';
import { announceIfChanged, broadcastToDashboards, rememberAnnounced, SITES_MAX } from './availability.ts';
import type { VisitorEndReason } from './contract.ts';
import { type VisitorDoc, visitorCache } from './model.ts';
import { type ConfigDeps, visitorDetailsView, widgetConfig } from './view.ts';

/** Emits to widgets what happens on their site, and to staff which visitors come and go. @returns a disposer */
export function broadcastVisitors(namespaces: Namespaces, around: ConfigDeps): () => void {
  const { staff, visitors } = namespaces;
  const restyle = async (site: SiteDoc) => {
    rememberAnnounced(site, around);
    broadcastToDashboards(staff, site, around);
    changedLately.set(site._id.toHexString(), true);
    await broadcastConfig(visitors, site, around);
  };
  /** Where the assistant answers while nobody is online, widgets learn who answers now. */
  const tellWhoAnswers = async ({ site }: { site: SiteDoc }) => {
    if (site.assistant?.step !== 'answer' || site.assistant.when !== 'offline') return;
    await broadcastConfig(visitors, site, around);
  };
  const broadcastToStaff = (visitor: VisitorDoc, site: SiteDoc) => {
    const { name, email } = visitor;
    const [visitorId, siteId] = [visitor._id.toHexString(), site._id.toHexString()];
    staff.local
      .to(rooms.site(siteId))
      .emit('visitor_updated', { visitorId, siteId, name, email, ...visitorDetailsView(visitor) });
  };
  const announce = ({ site }: { site: SiteDoc }) => announceIfChanged(namespaces, site, around);
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
      broadcastToStaff(visitor, site);
    }),
    events.everywhere('visitorEdited', ({ visitor, site }) => {
      if (!visitor.bot) broadcastToStaff(visitor, site);
    }),
    events.everywhere('widgetCodeChanged', ({ site }) => end(visitors, siteRoom(site), 'code_changed')),
    events.everywhere('siteDeleted', ({ site }) => end(visitors, siteRoom(site), 'site_deleted')),
    events.everywhere('agentChanged', async ({ userId }) => {
      for (const site of await sitesOfUser(userId)) announce({ site });
    }),
    events.on('availabilityAnnounced', tellWhoAnswers),
    events.everywhere('memberChanged', announce),
    events.everywhere('memberRemoved', announce),
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

/** A page that loaded its config connects within this time, on a slow line, too. */
const CONNECTS_WITHIN_MS = 60_000;
/** The sites whose config has changed since. */
const changedLately = recentlyUsed<true>(SITES_MAX, CONNECTS_WITHIN_MS);

/** Whether a widget that connects now may have loaded an older config. */
export function configChangedLately(siteId: string): boolean {
  return changedLately.has(siteId);
}

/** Emits the config to the site's widgets: once made for all that show the same language. */
async function broadcastConfig(namespace: VisitorNamespace, site: SiteDoc, around: ConfigDeps): Promise<void> {
  for (const language of [undefined, ...WIDGET_LANGUAGES]) {
    const room = rooms.language(site._id.toHexString(), language);
    if (!namespace.adapter.rooms.has(room)) continue;
    const config = await widgetConfig(site, around, language);
    namespace.local.to(room).emit('config_changed', { config });
  }
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
