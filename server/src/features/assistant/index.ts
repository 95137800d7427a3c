export { createAssistance } from './begin.ts';
export { assistDays, countAssist } from './model/days.ts';
export { ModelError, modelFailure } from './model/failures.ts';
export { createModel, type Model } from './model/model.ts';
export { assistantOf } from './settings/settings.ts';
