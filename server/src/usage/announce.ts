import { bus } from '../bus.ts';
import { rooms, type StaffHub } from '../hub.ts';

/** Has dashboards ask again what is running full. Gives the function that stops it. */
export function announceStorage(hub: StaffHub): () => void {
  return bus.on('noticesChanged', ({ siteId }) => {
    const hearers = siteId === null ? hub : hub.to(rooms.site(siteId));
    hearers.emit('notices_changed');
  });
}
