import type { Feature } from '#app/feature';
import { draftRoutes } from './agents/routes.ts';
import { purgeAssistDays } from './model/days.ts';
import { followSwitch, lostRuns } from './runs/lost.ts';
import { assistantRunRoutes } from './runs/routes.ts';
import { assistantSettingsRoutes } from './settings/routes.ts';

/** Suggestions and drafts for agents, and the assistant that answers visitors. */
export const assist: Feature = {
  routes: (context) => [assistantSettingsRoutes(context), assistantRunRoutes(context), draftRoutes(context)],
  listeners: () => [followSwitch()],
  projections: ({ model, now }) => [lostRuns({ hasModel: model !== null, now })],
  purge: () => [purgeAssistDays],
};
