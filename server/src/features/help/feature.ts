import type { Feature } from '#app/feature';
import { forgetAddresses } from './pages/address.ts';
import { startCountingReadings } from './readers/figures.ts';
import { forgetChanged } from './readers/perSite.ts';
import { followQuestions, purgeQuestions, removeOldQuestions } from './readers/questions.ts';
import { readerRoutes } from './readers/routes.ts';

/** The help centre for those who read it: public pages, and the articles in the widget. */
export const help: Feature = {
  routes: (context) => readerRoutes(context),
  listeners: () => [forgetChanged(), forgetAddresses(), followQuestions()],
  start: startCountingReadings,
  jobs: () => [removeOldQuestions],
  purge: () => [purgeQuestions],
};
