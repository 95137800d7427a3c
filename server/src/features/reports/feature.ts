import type { Feature } from '#app/feature';
import { reportRoutes } from './routes.ts';

/** Ratings, hours and agents in figures, which the Overview's figures hold. */
export const reports: Feature = { routes: (context) => [reportRoutes(context)] };
