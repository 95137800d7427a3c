import type { Doc } from '../bson/values.ts';
import type { Stage } from '../commands/aggregate.ts';
import type { Call, Steps } from '../commands/call.ts';
import { CommandError } from '../errors.ts';

/** Runs the stages behind the leading query over its documents. */
export function* runStages(_call: Call, docs: Doc[], stages: Stage[]): Steps<Doc[]> {
  const [stage] = stages;
  if (!stage) return docs;
  yield;
  throw new CommandError(40324, `Unrecognized pipeline stage name: '${stage.name}'`);
}
