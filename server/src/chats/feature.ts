import { bus } from '../bus.ts';
import type { Feature } from '../feature.ts';
import { searchChats } from '../search/find.ts';
import { factsOf } from '../visitors/person.ts';
import { closeIdleChats, removeOldChats } from './aging.ts';
import { announceChats } from './announce.ts';
import { sweepFiles } from './attach.ts';
import { releaseChatsOfLeavers } from './handback.ts';
import { ChatModel, MessageModel, NoteModel, RemovalModel } from './model.ts';
import { repairRows } from './projection.ts';
import { purgeChats } from './purge.ts';
import { sweepRemovals } from './remove.ts';
import { chatRoutes } from './routes.ts';
import { countStorage, recountSites } from './size.ts';
import { chatSocket } from './socket.ts';
import { announceViewers } from './viewers.ts';

/** Chats, their messages and notes. */
export const chats: Feature = {
  models: [ChatModel, MessageModel, NoteModel, RemovalModel],
  // A deletion begins with the chat's closing message.
  inReserve: { removals: {}, messages: { event: 'closed' } },
  droppedIndexes: { messages: ['site_1'] },
  repair: repairRows,
  routes: (context) => [chatRoutes({ ...context, searchChats })],
  sockets: {
    broadcast: ({ staff }) => [announceChats(staff), announceViewers(staff)],
    staff: (router, context) => chatSocket(router, { ...context, factsOf }),
  },
  listeners: ({ metrics }) => [
    bus.on('messageStored', ({ message }) => metrics.messageStored(message.sender)),
    countStorage(),
    releaseChatsOfLeavers(),
  ],
  jobs: ({ usage }) => [closeIdleChats, removeOldChats, sweepRemovals, sweepFiles, recountSites(usage)],
  purge: () => [purgeChats],
};
