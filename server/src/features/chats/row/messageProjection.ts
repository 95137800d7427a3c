import { countUpTo } from '#platform/database';
import { lastIdOf, type ProcessedMessages, type Projection, type Span, secondOf } from '#platform/work';
import { type MessageDoc, MessageModel } from '../messageModel.ts';

/** More messages than this are not counted: they are a backlog. */
const COUNT_MAX = 200_000;
/** Messages that one repair reads at a time, and in one round. */
const BATCH = 200;
const ROUND_MAX = 2_000;

/** A projection whose work is done message by message. */
export function messageProjection<Fields extends keyof MessageDoc>({
  fields,
  processed,
  repair,
  ...named
}: {
  name: string;
  first(): Promise<number>;
  /** Which fields of the messages `repair` needs. */
  fields: readonly Fields[];
  processed: ProcessedMessages;
  /** Does what is missing for some messages in the order of their ids. Idempotent. */
  repair(messages: Pick<MessageDoc, Fields | '_id'>[]): Promise<void>;
}): Projection {
  const read = Object.fromEntries(fields.map((field) => [field, 1]));
  return {
    ...named,
    processed,
    check: (span, stored) => stored !== processed.count(span),
    async repair({ after, until }, signal) {
      let last = lastIdOf(after);
      for (let done = 0; !signal.aborted; ) {
        const messages = await MessageModel.find({ _id: { $gt: last, $lte: lastIdOf(until) } }, read)
          .sort({ _id: 1 })
          .limit(BATCH)
          .lean<MessageDoc[]>();
        if (messages.length > 0) await repair(messages);
        if (messages.length < BATCH) return until;
        done += messages.length;
        last = messages.at(-1)?._id ?? last;
        // Others may follow within the last second, so only the one before is complete.
        if (done >= ROUND_MAX && secondOf(last) - 1 > after) return secondOf(last) - 1;
      }
      return after;
    },
  };
}

/** @returns the number of messages that were stored in a span, up to a maximum */
export function countStored({ after, until }: Span): Promise<number> {
  const ids = { $gt: lastIdOf(after), $lte: lastIdOf(until) };
  return countUpTo(COUNT_MAX, MessageModel.collection.name, { _id: ids });
}

/** @returns the second before the newest `count` messages */
export async function secondBeforeNewest(count: number): Promise<number> {
  const [oldest] = await MessageModel.find({}, { _id: 1 }).sort({ _id: -1 }).skip(count).limit(1).lean();
  return oldest ? secondOf(oldest._id) - 1 : 0;
}
