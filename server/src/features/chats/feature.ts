import type { Feature } from '#app/feature';
import { searchChats } from '#features/search';
import { visitorDetails } from '#features/visitors';
import { broadcastChats } from './broadcast.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { messageChanges } from './messages/changes.ts';
import { pollWhileIsolated, rememberAnnounced } from './row/isolation.ts';
import './events.ts';
import { closeIdleChats, purgeChats, removeOldChats, sweepRemovals } from './maintenance.ts';
import { sweepFiles } from './messages/files.ts';
import { followOtherWriters } from './messages/messages.ts';
import { chatRoutes } from './routes.ts';
import { measureMessages } from './row/projection.ts';
import { followFirstMessages } from './serialize.ts';
import { missedWakes, startAlarm } from './snooze/alarm.ts';
import { snoozeRoutes } from './snooze/routes.ts';
import { chatSocket } from './socket.ts';
import { countStoredBytes, recountSites } from './storage.ts';
import { releaseChatsOfLeavers } from './turns/transfer.ts';

/** Chats, their messages and notes. */
export const chats: Feature = {
  // A deletion starts by storing the chat's closing message.
  inReserve: { removals: {}, checkpoints: {}, messages: { event: 'closed' } },
  routes: (context) => [bulkRoutes(context), snoozeRoutes(context), chatRoutes({ ...context, searchChats })],
  sockets: {
    broadcast: (namespaces, { viewers }) => [broadcastChats(namespaces, viewers), viewers.watch(namespaces.staff)],
    staff: (router, context) => chatSocket(router, { ...context, visitorDetails }),
  },
  listeners: ({ metrics, cluster }) => [
    measureMessages(metrics),
    rememberAnnounced(),
    ...(cluster ? [followOtherWriters(), pollWhileIsolated(cluster)] : []),
    countStoredBytes(),
    followFirstMessages(),
    releaseChatsOfLeavers(),
  ],
  projections: ({ now }) => [messageChanges, missedWakes(now)],
  start: async ({ now, lease, noticesEveryMs }) => startAlarm({ now, lease: lease('jobs'), everyMs: noticesEveryMs }),
  jobs: ({ usage }) => [closeIdleChats, removeOldChats, sweepRemovals, sweepFiles, recountSites(usage)],
  purge: () => [purgeChats],
};
