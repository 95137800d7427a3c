import type { Doc } from '../bson/values.ts';
import type { Call, Steps } from '../commands/call.ts';
import { lookUp, parseLookup } from './lookup.ts';
import type { Stage } from './stage.ts';
import { parseStage, type Transform } from './stages.ts';

type Ready = { transform: Transform } | { lookup: ReturnType<typeof parseLookup> };

/** Checks all stages before the first runs, so that a mistake costs nothing. */
export function parseStages(stages: Stage[]): Ready[] {
  return stages.map((stage) =>
    stage.name === '$lookup' ? { lookup: parseLookup(stage.operand) } : { transform: parseStage(stage) },
  );
}

/** Runs the stages behind the leading query over its documents. */
export function* runStages({ engine, db }: Call, docs: Doc[], stages: Ready[]): Steps<Doc[]> {
  let current = docs;
  for (const stage of stages) {
    if ('transform' in stage) current = stage.transform(current);
    else {
      const foreign = engine.catalogue.get(`${db}.${stage.lookup.from}`);
      const joined: Doc[] = [];
      for (const doc of current) {
        joined.push(lookUp(engine.storage, foreign, stage.lookup, doc));
        yield;
      }
      current = joined;
    }
    yield;
  }
  return current;
}
