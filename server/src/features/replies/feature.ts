import type { Feature } from '#app/feature';
import { purgeReplies, removeRepliesOfLeavers, sweepPersonalReplies } from './files.ts';
import { replyRoutes } from './routes.ts';

/** Canned replies. */
export const replies: Feature = {
  routes: (context) => [replyRoutes(context)],
  listeners: () => [removeRepliesOfLeavers()],
  jobs: () => [sweepPersonalReplies],
  purge: () => [purgeReplies],
};
