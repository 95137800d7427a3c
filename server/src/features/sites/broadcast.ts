import { type Cluster, recheck } from '#platform/cluster';
import { events, rooms, type StaffNamespace, type StaffSocket } from '#platform/events';
import { liveSite, siteIdsOf, sitesOfUser } from './guards.ts';
import type { SiteDoc } from './model.ts';

/**
 * Joins a dashboard's socket to the rooms of its user's sites. It reads the sites again after the join: a removal that
 * is announced between read and join does not find the socket in any room.
 */
export async function joinSites(socket: StaffSocket): Promise<void> {
  const { userId } = socket.data;
  const found = await siteIdsOf(userId);
  await socket.join(found.map(rooms.site));
  const still = new Set(await siteIdsOf(userId));
  for (const siteId of found) if (!still.has(siteId)) await socket.leave(rooms.site(siteId));
}

/** Checks periodically that every dashboard's socket is only in rooms of its user's sites, in case an announcement was lost. */
export function watchRooms(namespace: StaffNamespace, cluster: Pick<Cluster, 'state'> | null): () => void {
  return recheck('removing people who left the team', cluster, () => disconnectStrangers(namespace));
}

/** Disconnects sockets in the room of a site that is not their user's; they reconnect and join the right rooms. */
export async function disconnectStrangers(namespace: StaffNamespace): Promise<void> {
  const sockets = [...namespace.sockets.values()];
  const heard = new Set(sockets.flatMap(sitesHeard));
  const read = async (siteId: string) => [siteId, new Set(await membersOf(siteId))] as const;
  const members = new Map(await Promise.all([...heard].map(read)));
  for (const socket of sockets) {
    const isStranger = (siteId: string) => members.get(siteId)?.has(socket.data.userId) === false;
    if (sitesHeard(socket).some(isStranger)) socket.disconnect(true);
  }
}

function sitesHeard(socket: StaffSocket): string[] {
  return [...socket.rooms].flatMap((room) => rooms.siteIn(room) ?? []);
}

async function membersOf(siteId: string): Promise<string[]> {
  const site = await liveSite(siteId);
  return site ? site.team.map(({ user }) => user.toHexString()) : [];
}

/** Emits to dashboards which sites changed and which colleagues come and go. @returns a disposer */
export function broadcastSites(namespace: StaffNamespace): () => void {
  const broadcast = (site: SiteDoc) => {
    const siteId = site._id.toHexString();
    namespace.local.to(rooms.site(siteId)).emit('site_updated', { siteId });
  };
  return events.stopAll([
    events.everywhere('siteCreated', ({ site }) => {
      for (const { user } of site.team)
        namespace.local.in(rooms.user(user.toHexString())).socketsJoin(rooms.site(site._id.toHexString()));
      broadcast(site);
    }),
    events.everywhere('siteUpdated', ({ site }) => broadcast(site)),
    events.everywhere('widgetCodeChanged', ({ site }) => broadcast(site)),
    events.everywhere('siteDeleted', ({ site }) => {
      broadcast(site);
      namespace.local.socketsLeave(rooms.site(site._id.toHexString()));
    }),
    events.everywhere('agentChanged', async ({ userId, online, away }) => {
      for (const site of await sitesOfUser(userId)) {
        const siteId = site._id.toHexString();
        namespace.local
          .to(rooms.site(siteId))
          .emit(online ? 'user_online' : 'user_offline', { kind: 'agent', userId, siteId, ...(away && { away }) });
      }
    }),
  ]);
}
