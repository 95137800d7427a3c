import type { Feature } from '#app/feature';
import { broadcastMentions } from './broadcast.ts';
import { startNotices } from './delivery.ts';
import { handOvers } from './handOvers.ts';
import { mentionNotices } from './mentionNotices.ts';
import { forgetMentions, purgeMentions } from './mentions.ts';
import { notices } from './messages.ts';
import { purgeNotices } from './model.ts';
import { notifyRoutes } from './routes.ts';

/** Decides whom mails and push messages notify of what, and when. */
export const notify: Feature = {
  routes: (context) => [notifyRoutes(context)],
  sockets: { broadcast: ({ staff }) => [broadcastMentions(staff)] },
  listeners: () => [forgetMentions()],
  projections: (context) => [notices(context), handOvers(context), mentionNotices(context)],
  start: async (context) => startNotices(context, context.noticesEveryMs),
  purge: () => [purgeNotices, purgeMentions],
};
