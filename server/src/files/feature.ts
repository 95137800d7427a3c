import type { Feature } from '../feature.ts';
import { purgeFiles } from './keep.ts';
import { FileModel } from './model.ts';
import { fileRoutes } from './routes.ts';

/** Files and pictures. */
export const files: Feature = {
  models: [FileModel],
  routes: () => [fileRoutes()],
  purge: () => [purgeFiles],
};
