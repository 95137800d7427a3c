import type { Feature } from '#app/feature';
import { purgeArticles } from './actions.ts';
import { broadcastArticles } from './broadcast.ts';
import { sweepPictures } from './pictures.ts';
import { articleRoutes } from './routes.ts';
import { createPageReader } from './transfer/pages.ts';
import { transferRoutes } from './transfer/routes.ts';

/** The help centre: articles that a team writes for its visitors. */
export const articles: Feature = {
  routes: (context) => [
    articleRoutes(context),
    transferRoutes({ ...context, readPage: createPageReader(context.webAgent) }),
  ],
  sockets: {
    broadcast: ({ staff }) => [broadcastArticles(staff)],
  },
  jobs: () => [sweepPictures],
  purge: () => [purgeArticles],
};
