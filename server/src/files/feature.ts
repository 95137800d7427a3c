import type { Feature } from '../feature.ts';
import { fileRoutes } from './routes.ts';
import { purgeFiles } from './storedFiles.ts';

/** Files and pictures. */
export const files: Feature = {
  routes: () => [fileRoutes()],
  purge: () => [purgeFiles],
};
