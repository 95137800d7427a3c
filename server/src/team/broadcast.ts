import { bus } from '../bus.ts';
import { rooms, type StaffHub } from '../hub.ts';

/**
 * Tells dashboards of changed teams, lets a new member's sockets hear of the site, and puts a removed one's out of all
 * its rooms before the answer goes out. Gives the function that stops it.
 */
export function broadcastTeams(hub: StaffHub): () => void {
  const tell = (siteId: string, userId?: string) => {
    const all = [rooms.site(siteId), ...(userId === undefined ? [] : [rooms.user(userId)])];
    hub.to(all).emit('team_updated', { siteId });
  };
  return bus.stopAll([
    bus.on('memberChanged', ({ site, userId }) => {
      const siteId = site._id.toHexString();
      hub.in(rooms.user(userId)).socketsJoin(rooms.site(siteId));
      tell(siteId, userId);
    }),
    bus.on('memberRemoved', async ({ site, userId }) => {
      const siteId = site._id.toHexString();
      for (const socket of await hub.in(rooms.user(userId)).fetchSockets()) {
        for (const room of socket.rooms) if (rooms.siteIn(room) === siteId) socket.leave(room);
      }
      tell(siteId, userId);
    }),
    bus.on('invitesChanged', ({ siteId }) => tell(siteId)),
  ]);
}
