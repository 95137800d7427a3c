import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { type ChatDoc, ChatModel, chatCache, type RemovalDoc, RemovalModel } from '#features/chats';
import { deleteInBatches, isAny } from '#platform/database';
import { events } from '#platform/events';
import { lastIdOf, type Projection, reportLost } from '#platform/work';
import { addBatch, finishNewest, isComplete, isOfLaterVersion } from './batches.ts';
import { CountedModel, FigureModel } from './model.ts';
import { type Counted, countedOf, growthsOf } from './tally.ts';

/** Chats of one batch. */
const BATCH = 200;
/** Changes that come within this time are one batch. */
const COUNT_AFTER_MS = 250;
/** Delays after each failed try, in milliseconds; after the last one the reconciler tries again. */
const RETRY_AFTER_MS = [500, 1_000, 2_000];
/** Every marked document matches; written like this so that the partial indexes are used. */
export const MARKED = { uncounted: { $gt: new Types.ObjectId('0'.repeat(24)) } };

/** One look each at two indexes that hold only marked documents. */
async function isAnyMarked(): Promise<boolean> {
  return (await isAny(ChatModel.collection.name, MARKED)) || isAny(RemovalModel.collection.name, MARKED);
}

/**
 * Counts one batch of chats: those marked as changed, and, while all are counted anew, the next ones of all.
 *
 * Every write that changes what is to be counted of a chat marks the chat, and only a batch that included the change
 * removes that mark. What is counted of each chat is stored, and a batch changes figures by the difference. So each chat
 * counts once, whatever crashes or is repeated (decision 008).
 * @returns whether there may be more to do
 */
export async function countBatch(): Promise<boolean> {
  const newest = await finishNewest();
  if (isOfLaterVersion(newest)) return false;
  const [marked, removals, walked] = await Promise.all([
    ChatModel.find(MARKED).limit(BATCH).lean<ChatDoc[]>(),
    RemovalModel.find(MARKED, { uncounted: 1 }).limit(BATCH).lean<RemovalDoc[]>(),
    newest.recountedTo && nextChats(newest.recountedTo),
  ]);
  const gone = await withoutChat(removals);
  if (marked.length + gone.length === 0 && !walked) return false;

  const chats = new Map([...(walked ?? []), ...marked].map((chat) => [chat._id.toHexString(), chat]));
  // Deleted since it was read.
  for (const { _id } of gone) chats.delete(_id.toHexString());
  const before = await countedNow([...chats.values(), ...gone].map(({ _id }) => _id));
  const changes = [
    ...[...chats].map(([id, chat]) => ({
      before: before.get(id) ?? null,
      after: countedOf(chat, before.get(id) ?? null),
    })),
    ...gone.map(({ _id }) => ({ before: before.get(_id.toHexString()) ?? null, after: null })),
  ];
  const isDone = await addBatch(newest, {
    growths: growthsOf(changes),
    counted: changes.flatMap(({ after }) => after ?? []),
    gone: changes.flatMap(({ before, after }) => (before && !after ? before._id : [])),
    recountedTo: walked && walked.length === BATCH ? (walked.at(-1)?._id ?? null) : null,
  });
  if (isDone) await unmark(marked, gone);
  return !isDone || Boolean(walked) || marked.length === BATCH || gone.length === BATCH;
}

/** What is counted of chats now, by hex id. */
async function countedNow(ids: Types.ObjectId[]): Promise<Map<string, Counted>> {
  const counted = await CountedModel.find({ _id: { $in: ids }, goneAt: null }, { applied: 0 }).lean<Counted[]>();
  return new Map(counted.map((one) => [one._id.toHexString(), one]));
}

/** The deletions whose chats are gone: a chat that is still there may yet be changed. */
async function withoutChat(removals: RemovalDoc[]): Promise<RemovalDoc[]> {
  if (removals.length === 0) return [];
  const left = await ChatModel.find({ _id: { $in: removals.map(({ _id }) => _id) } }, { _id: 1 }).lean();
  return removals.filter(({ _id }) => !left.some((chat) => chat._id.equals(_id)));
}

/** Removes marks, except those that a later change has replaced. */
async function unmark(chats: ChatDoc[], removals: RemovalDoc[]): Promise<void> {
  const options = { ordered: false };
  await Promise.all([
    chats.length > 0 && ChatModel.collection.bulkWrite(chats.map(unmarking), options),
    removals.length > 0 && RemovalModel.collection.bulkWrite(removals.map(unmarking), options),
  ]);
  for (const { _id } of chats) chatCache.forget(_id.toHexString());
}

function unmarking({ _id, uncounted }: Pick<ChatDoc, '_id' | 'uncounted'>) {
  return { updateOne: { filter: { _id, uncounted }, update: { $unset: { uncounted: 1 as const } } } };
}

/** The next of all chats. */
function nextChats(after: Types.ObjectId): Promise<ChatDoc[]> {
  return ChatModel.find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(BATCH)
    .lean<ChatDoc[]>()
    .exec();
}

let lastCount = Promise.resolve();

/** Counts all marked chats. Calls run one at a time: of two at once, one would have to begin again. */
function countMarked(signal: AbortSignal): Promise<void> {
  const run = lastCount.then(async () => {
    while ((await countBatch()) && !signal.aborted);
  });
  lastCount = run.catch(() => {});
  return run;
}

/**
 * Counts what is marked while the chats of a deleted site are still there, which stay in the figures of all sites; then
 * removes the figures of the site.
 */
export async function purgeFigures(site: Types.ObjectId, signal: AbortSignal): Promise<void> {
  await countMarked(signal);
  await deleteInBatches(FigureModel, { site }, signal);
  await deleteInBatches(CountedModel, { site }, signal);
}

/** The figures. Marked chats tell what is missing, not the messages; on start, a new version counts all chats. */
export const figures: Projection = {
  name: 'figures',
  first: async () => 0,
  check: async () => !(await isComplete()) || isAnyMarked(),
  async repair({ until }, signal) {
    const late = { uncounted: { ...MARKED.uncounted, $lte: lastIdOf(until) } };
    reportLost('figures', await ChatModel.countDocuments(late));
    await countMarked(signal);
    return until;
  },
};

/**
 * Counts chats soon after an event that marked them. What then fails more than a few times is left to the reconciler.
 * @returns a disposer, which counts what is marked by then
 */
export function startCounting(): () => Promise<void> {
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  let isAwaited = false;
  let running: Promise<void> | undefined;

  function wake(): void {
    isAwaited = true;
    running ??= countSoon().finally(() => {
      running = undefined;
      if (isAwaited) wake();
    });
  }

  async function countSoon(): Promise<void> {
    await pause(COUNT_AFTER_MS);
    isAwaited = false;
    for (const wait of RETRY_AFTER_MS) {
      try {
        return await countMarked(stopping.signal);
      } catch (error) {
        events.fail(error, 'figures');
        await pause(wait);
      }
    }
  }

  const stopListening = events.stopAll([
    events.on('chatChanged', ({ chat }) => {
      if (chat.uncounted) wake();
    }),
    events.on('chatRemoved', wake),
  ]);

  return async () => {
    stopListening();
    stopping.abort();
    await running;
  };
}
