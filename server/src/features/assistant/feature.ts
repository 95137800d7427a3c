import type { Feature } from '#app/feature';
import { draftRoutes } from './agents/routes.ts';
import { createAsker } from './asking.ts';
import { purgeAssistDays } from './model/days.ts';
import { createAnswerer } from './runs/answering.ts';
import { followSwitch, lostRuns } from './runs/lost.ts';
import { forgetRuns, purgeRuns } from './runs/model.ts';
import { assistantRunRoutes } from './runs/routes.ts';
import { countOutcomes, startAnswering } from './runs/running.ts';
import { assistantSettingsRoutes } from './settings/routes.ts';
import { assistantTestRoutes } from './tests/routes.ts';
import { findMissedTests, startTests } from './tests/running.ts';
import { purgeTests } from './tests/testsModel.ts';

/** Suggestions and drafts for agents, and the assistant that answers visitors. */
export const assistant: Feature = {
  routes: (context) => [
    assistantSettingsRoutes(context),
    assistantTestRoutes(context),
    assistantRunRoutes(context),
    draftRoutes(context),
  ],
  listeners: ({ model, publicUrl, now }) => [
    followSwitch(),
    countOutcomes(now),
    forgetRuns(),
    startAnswering({ answerQuestion: model && createAnswerer({ model, publicUrl, now }), now }),
  ],
  projections: ({ model, now }) => [lostRuns({ hasModel: model !== null, now })],
  start: async (context) =>
    startTests({ asker: createAsker(context), everyMs: context.noticesEveryMs, now: context.now }),
  jobs: () => [findMissedTests],
  purge: () => [purgeAssistDays, purgeRuns, purgeTests],
};
