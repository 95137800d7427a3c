import { Types } from 'mongoose';
import type { Feature } from '#app/feature';
import { events } from '#platform/events';
import { openDoors } from './doors/openDoors.ts';
import { mailRoutes } from './receiving/routes.ts';
import { forgetReplyAddresses, purgeReplyAddresses } from './replyAddresses.ts';
import { watchMailIn } from './state/doors.ts';

/** Mails that can be answered. */
export const mailin: Feature = {
  routes: (context) => [mailRoutes(context)],
  listeners: (context) => [
    watchMailIn(context),
    events.on('chatErased', ({ chatId }) => forgetReplyAddresses({ chat: new Types.ObjectId(chatId) })),
    events.on('visitorErased', ({ visitor }) => forgetReplyAddresses({ visitor: visitor._id })),
    events.on('accountDeleted', ({ userId }) => forgetReplyAddresses({ user: new Types.ObjectId(userId) })),
  ],
  start: openDoors,
  purge: () => [purgeReplyAddresses],
};
