export { QUESTION_WORDS } from './questionWords.ts';
export { createRanking, type Hit, questionWords, type RankedSources } from './ranking.ts';
export { wordReader } from './words.ts';
