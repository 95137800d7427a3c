import { events, rooms, type StaffNamespace } from '#platform/events';

/** Emits mentions to all dashboards of the mentioned user. @returns a disposer */
export function broadcastMentions(namespace: StaffNamespace): () => void {
  return events.stopAll([
    events.everywhere('mentioned', ({ userIds, mention }) => {
      if (userIds.length > 0) namespace.local.to(userIds.map(rooms.user)).emit('mentioned', { mention });
    }),
    events.everywhere('mentionsChanged', ({ userId }) => {
      namespace.local.to(rooms.user(userId)).emit('mentions_changed');
    }),
  ]);
}
