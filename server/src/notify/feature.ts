import type { Feature } from '../feature.ts';
import { startNotices } from './delivery.ts';
import { handOvers } from './handOvers.ts';
import { notices } from './messages.ts';
import { NoticeModel, purgeNotices } from './model.ts';
import { notifyRoutes } from './routes.ts';

/** Decides whom mails and push messages notify of what, and when. */
export const notify: Feature = {
  models: [NoticeModel],
  routes: (context) => [notifyRoutes(context)],
  projections: (context) => [notices(context), handOvers(context)],
  start: async (context) => startNotices(context, context.noticesEveryMs),
  purge: () => [purgeNotices],
};
