import type { Feature } from '../feature.ts';
import { startNotices } from './delivery.ts';
import { NoticeModel, purgeNotices } from './model.ts';
import { notifyRoutes } from './routes.ts';

/** Whom mails and push messages tell of what, and when. */
export const notify: Feature = {
  models: [NoticeModel],
  routes: (context) => [notifyRoutes(context)],
  start: (context) => startNotices(context, context.noticesEveryMs),
  purge: () => [purgeNotices],
};
