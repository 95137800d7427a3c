export { createAssistance } from './begin.ts';
export type { BudgetUse } from './model/budget.ts';
export { estimateTokens, type ModelAnswer, type ModelMessage } from './model/client.ts';
export { type AssistGrowth, assistDays, countAssist } from './model/days.ts';
export { ModelError, type ModelFailureKind, modelFailure } from './model/failures.ts';
export { createModel, type Model, type ModelOptions } from './model/model.ts';
export { type AnswerQuestion, createAnswerer, type Outcome, type Question } from './runs/answering.ts';
export { assistantOf } from './settings/settings.ts';
