export { Durations } from './median.ts';
export {
  type AgentCounts,
  ALL_SITES,
  type Buckets,
  type DepartmentCounts,
  type FigureDoc,
  FigureModel,
  NOBODY,
} from './model.ts';
export { countChats, createUsualReply, figuresFilter, readWeeks, type UsualReply } from './read.ts';
export { LAST_SLOT, slotStart } from './tally.ts';
