import { events, rooms, type StaffNamespace } from '#platform/events';

/** Tells all dashboards of a user, on whichever device, that the account or its settings have changed. @returns a disposer */
export function broadcastSettings(namespace: StaffNamespace): () => void {
  return events.everywhere('accountChanged', ({ userId }) => {
    namespace.local.to(rooms.user(userId)).emit('account_updated');
  });
}
