import type { Feature } from '#app/feature';
import { searchIndex, startIndexer } from './indexer.ts';
import { searchRoutes } from './routes.ts';
import { purgeSearch } from './writer.ts';

/** Search for chats, people and sites by words. */
export const search: Feature = {
  inReserve: { marks: {} },
  routes: (context) => [searchRoutes(context)],
  projections: () => [searchIndex],
  start: async () => startIndexer(),
  purge: () => [purgeSearch],
};
