import type { Feature } from '#app/feature';
import { fileRoutes } from './routes.ts';
import { purgeFiles } from './storedFiles.ts';

/** Files and pictures. */
export const files: Feature = {
  routes: () => [fileRoutes()],
  purge: () => [purgeFiles],
};
