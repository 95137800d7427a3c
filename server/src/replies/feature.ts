import type { Feature } from '../feature.ts';
import { purgeReplies, removeRepliesOfLeavers, sweepPersonalReplies } from './files.ts';
import { ReplyModel } from './model.ts';
import { replyRoutes } from './routes.ts';

/** Canned replies. */
export const replies: Feature = {
  models: [ReplyModel],
  droppedIndexes: { replies: ['site_1_shortcut_1'] },
  routes: (context) => [replyRoutes(context)],
  listeners: () => [removeRepliesOfLeavers()],
  jobs: () => [sweepPersonalReplies],
  purge: () => [purgeReplies],
};
