export { passagesOf } from './passages.ts';
export { languageOf, questionWords } from './question.ts';
export { QUESTION_WORDS } from './questionWords.ts';
export { createRanking, type RankedSources } from './ranking.ts';
export type { Hit, Level } from './scoring.ts';
export { wordReader } from './words.ts';
