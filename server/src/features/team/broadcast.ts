import { events, rooms, type StaffNamespace } from '#platform/events';

/**
 * Announces changed teams to dashboards. A new member's sockets join the site's rooms, and a removed member's leave all
 * of them before the answer to the removal is sent.
 * @returns a disposer
 */
export function broadcastTeams(namespace: StaffNamespace): () => void {
  const broadcast = (siteId: string, userId?: string) => {
    const all = [rooms.site(siteId), ...(userId === undefined ? [] : [rooms.user(userId)])];
    namespace.local.to(all).emit('team_updated', { siteId });
  };
  return events.stopAll([
    events.everywhere('memberChanged', ({ site, userId }) => {
      const siteId = site._id.toHexString();
      namespace.local.in(rooms.user(userId)).socketsJoin(rooms.site(siteId));
      broadcast(siteId, userId);
    }),
    events.everywhere('memberRemoved', async ({ site, userId }) => {
      const siteId = site._id.toHexString();
      for (const socket of await namespace.local.in(rooms.user(userId)).fetchSockets()) {
        for (const room of socket.rooms) if (rooms.siteIn(room) === siteId) socket.leave(room);
      }
      broadcast(siteId, userId);
    }),
    events.everywhere('invitesChanged', ({ siteId }) => broadcast(siteId)),
  ]);
}
