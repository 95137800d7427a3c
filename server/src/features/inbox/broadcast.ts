import { events, rooms, type StaffNamespace } from '#platform/events';

/** Tells all dashboards of a user that the saved views have changed. @returns a disposer */
export function broadcastViews(namespace: StaffNamespace): () => void {
  return events.everywhere('viewsChanged', ({ userId }) => {
    namespace.local.to(rooms.user(userId)).emit('views_changed');
  });
}
