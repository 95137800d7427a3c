import type { Feature } from '#app/feature';
import { purgeAssistDays } from './model/days.ts';
import { assistantSettingsRoutes } from './settings/routes.ts';

/** Suggestions and drafts for agents, and the assistant that answers visitors. */
export const assist: Feature = {
  routes: (context) => [assistantSettingsRoutes(context)],
  purge: () => [purgeAssistDays],
};
