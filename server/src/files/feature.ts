import type { Feature } from '../feature.ts';
import { FileModel } from './model.ts';
import { fileRoutes } from './routes.ts';
import { purgeFiles } from './storedFiles.ts';

/** Files and pictures. */
export const files: Feature = {
  models: [FileModel],
  routes: () => [fileRoutes()],
  purge: () => [purgeFiles],
};
