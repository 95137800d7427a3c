import { type Model, type QueryFilter, Types } from 'mongoose';
import { isAny } from '#platform/database';
import { events } from '#platform/events';
import { lastIdOf, type Projection, reportLost } from './reconciler.ts';

/** Documents that are read at a time. */
const BATCH = 200;
/** Less than any mark. */
const NO_MARK = new Types.ObjectId('0'.repeat(24));

/** Documents with a mark: a write from which something follows sets it, and it is removed when that is done. */
interface Marked<Doc> {
  model: Model<Doc>;
  /** The field with the mark, a new id from each such write. Needs a partial index. */
  mark: string & keyof Doc;
  filter?: QueryFilter<Doc>;
  /** Does what follows from the document, and removes the mark unless it was replaced meanwhile. Idempotent. */
  finish(doc: Doc): Promise<void>;
}

/** How the reconciler finds marks that were left, because a process died or all its tries failed. */
interface Marks {
  isAnyLeft(until: number): Promise<boolean>;
  finishLeft(name: string, until: number, signal: AbortSignal): Promise<void>;
}

/** Describes the marks of one collection. */
export function marksIn<Doc>({ model, mark, filter = {}, finish }: Marked<Doc>): Marks {
  const upTo = (second: number, after = NO_MARK) =>
    ({ ...filter, [mark]: { $gt: after, $lte: lastIdOf(second) } }) as QueryFilter<Doc>;

  return {
    isAnyLeft: (until) => isAny(model.collection.name, upTo(until)),
    async finishLeft(name, until, signal) {
      for (let after = NO_MARK; !signal.aborted; ) {
        const docs = await model
          .find(upTo(until, after))
          .sort({ [mark]: 1 })
          .limit(BATCH)
          .lean<Doc[]>();
        reportLost(name, docs.length);
        for (const doc of docs) await finish(doc).catch((error) => events.fail(error, name));
        if (docs.length < BATCH) return;
        after = (docs.at(-1)?.[mark] as Types.ObjectId | undefined) ?? after;
      }
    },
  };
}

/** A projection of marked documents: its own listeners do the work at once, and the reconciler does what they leave. */
export function markedProjection(name: string, ...all: Marks[]): Projection {
  return {
    name,
    first: async () => 0,
    async check({ until }) {
      for (const marks of all) if (await marks.isAnyLeft(until)) return true;
      return false;
    },
    async repair({ until }, signal) {
      for (const marks of all) await marks.finishLeft(name, until, signal);
      return until;
    },
  };
}
