import type { Feature } from '../feature.ts';
import { purgeReplies, ReplyModel } from './model.ts';
import { replyRoutes } from './routes.ts';

/** Canned replies. */
export const replies: Feature = {
  models: [ReplyModel],
  routes: (context) => [replyRoutes(context)],
  purge: () => [purgeReplies],
};
