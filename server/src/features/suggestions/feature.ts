import type { Feature } from '#app/feature';
import { suggestionRoutes } from './routes.ts';

/** Suggestions for agents: what they may answer to a visitor's question, with no model. Nothing of it is stored. */
export const suggestions: Feature = { routes: (context) => [suggestionRoutes(context)] };
