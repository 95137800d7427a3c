import type { Feature } from '#app/feature';
import { departmentRoutes } from './routes.ts';

/** Parts of a site's team that chats can be for. */
export const departments: Feature = {
  routes: (context) => [departmentRoutes(context)],
};
