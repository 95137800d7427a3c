export { createRanking, type Hit, questionWords, type RankedSources } from './ranking.ts';
