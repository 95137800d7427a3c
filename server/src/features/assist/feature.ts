import type { Feature } from '#app/feature';
import { draftRoutes } from './agents/routes.ts';
import { purgeAssistDays } from './model/days.ts';
import { createAnswerer } from './runs/answering.ts';
import { followSwitch, lostRuns } from './runs/lost.ts';
import { forgetRuns, purgeRuns } from './runs/model.ts';
import { assistantRunRoutes } from './runs/routes.ts';
import { countOutcomes, startAnswering } from './runs/running.ts';
import { assistantSettingsRoutes } from './settings/routes.ts';

/** Suggestions and drafts for agents, and the assistant that answers visitors. */
export const assist: Feature = {
  routes: (context) => [assistantSettingsRoutes(context), assistantRunRoutes(context), draftRoutes(context)],
  listeners: ({ model, publicUrl, now }) => [
    followSwitch(),
    countOutcomes(now),
    forgetRuns(),
    startAnswering({ answerQuestion: model && createAnswerer({ model, publicUrl, now }), now }),
  ],
  projections: ({ model, now }) => [lostRuns({ hasModel: model !== null, now })],
  purge: () => [purgeAssistDays, purgeRuns],
};
