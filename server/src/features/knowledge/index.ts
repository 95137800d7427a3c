export type { Source } from './passages.ts';
export { createRanking, type Hit, questionWords, type RankedSources } from './ranking.ts';
