import { bus } from '../bus.ts';
import { rooms, type StaffHub, type StaffSocket } from '../hub.ts';
import { sitesOf } from './access.ts';
import type { SiteDoc } from './model.ts';

/** Puts a dashboard's socket into the rooms of its user's sites. */
export async function joinSites(socket: StaffSocket): Promise<void> {
  const sites = await sitesOf(socket.data.userId);
  await socket.join(sites.map((site) => rooms.site(site._id.toHexString())));
}

/** Tells dashboards of changed sites and of colleagues who come and go. Gives the function that stops it. */
export function announceSites(hub: StaffHub): () => void {
  const tell = (site: SiteDoc) => {
    const siteId = site._id.toHexString();
    hub.to(rooms.site(siteId)).emit('site_updated', { siteId });
  };
  return bus.stopAll([
    bus.on('siteCreated', ({ site }) => {
      for (const { user } of site.team)
        hub.in(rooms.user(user.toHexString())).socketsJoin(rooms.site(site._id.toHexString()));
      tell(site);
    }),
    bus.on('siteUpdated', ({ site }) => tell(site)),
    bus.on('widgetCodeChanged', ({ site }) => tell(site)),
    bus.on('siteDeleted', ({ site }) => {
      tell(site);
      hub.socketsLeave(rooms.site(site._id.toHexString()));
    }),
    bus.on('agentChanged', async ({ userId, online }) => {
      for (const site of await sitesOf(userId)) {
        const siteId = site._id.toHexString();
        hub.to(rooms.site(siteId)).emit(online ? 'user_online' : 'user_offline', { kind: 'agent', userId, siteId });
      }
    }),
  ]);
}
