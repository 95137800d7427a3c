import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { events } from '../events.ts';
import { liveSite } from '../sites/guards.ts';
import { finishClose } from './lifecycle.ts';
import { type ChatDoc, ChatModel, CheckpointModel, type MessageDoc, MessageModel } from './model.ts';
import { catchUp, projectedSince } from './projection.ts';

const EVERY_MS = 10_000;
/** Seconds after which a message is in the store or never will be: longer than the timeout of a write. */
const SETTLED_AFTER_S = 10;
const BATCH = 1_000;
/**
 * Without a checkpoint (older versions kept none), this many newest messages are checked: more than a crash can leave
 * unfinished.
 */
const NEWEST = 5_000;
const CHECKPOINT = 'chatRows';

/** The fields of a message that tell whether its chat includes it. */
type Trace = Pick<MessageDoc, '_id' | 'chat' | 'seq' | 'event' | 'author'>;
const TRACE = { chat: 1, seq: 1, event: 1, author: 1 };

/**
 * Finds stored messages without their follow-up work: their writer crashed, or never learned that they are stored. Runs
 * at the start, and every ten seconds for what has settled since; one count on an index shows that nothing is missing.
 * @returns a disposer, which waits for the round under way
 */
export function startReconciler(): () => Promise<void> {
  const stopping = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    // The first round checks up to now, because this process had no message on its way before its start.
    let until = secondsNow();
    while (!stopping.signal.aborted) {
      await reconcile(until, secondsNow() - SETTLED_AFTER_S).catch((error) => events.fail(error, 'reconciler'));
      await sleep(EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      until = secondsNow() - SETTLED_AFTER_S;
    }
  }

  return () => {
    stopping.abort();
    return running;
  };
}

const secondsNow = () => Math.floor(Date.now() / 1000);

/**
 * One round: checks the messages since the checkpoint, then moves it. Times are Unix seconds, inclusive.
 * @param until check up to here
 * @param settled up to here no further message can appear in the store
 */
export async function reconcile(until: number, settled: number): Promise<void> {
  const checkpoint = await CheckpointModel.findById(CHECKPOINT).lean();
  if (!checkpoint) await repair(await newestTraces());
  else if (until <= checkpoint.second) return;
  else {
    const since = { $gt: lastIdOf(checkpoint.second), $lte: lastIdOf(until) };
    const stored = await MessageModel.countDocuments({ _id: since });
    if (stored === 0) return;
    if (stored !== projectedSince(checkpoint.second, until)) await repairSince(since);
  }
  await CheckpointModel.updateOne(
    { _id: CHECKPOINT },
    { $max: { second: Math.min(until, settled) } },
    { upsert: true },
  );
}

async function repairSince({ $gt, $lte }: { $gt: Types.ObjectId; $lte: Types.ObjectId }): Promise<void> {
  for (let after = $gt; ; ) {
    const traces = await MessageModel.find({ _id: { $gt: after, $lte } }, TRACE)
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<Trace[]>();
    await repair(traces);
    const last = traces.at(-1);
    if (!last || traces.length < BATCH) return;
    after = last._id;
  }
}

function newestTraces(): Promise<Trace[]> {
  return MessageModel.find({}, TRACE).sort({ _id: -1 }).limit(NEWEST).lean<Trace[]>().exec();
}

/** Does the missing work: catches up rows that lag behind a message, and closes chats that have a closing message. */
async function repair(traces: Trace[]): Promise<void> {
  const newest = new Map<string, Trace>();
  for (const trace of traces) {
    const id = trace.chat.toHexString();
    if (trace.seq > (newest.get(id)?.seq ?? 0)) newest.set(id, trace);
  }
  const ids = [...newest.keys()];
  for (let at = 0; at < ids.length; at += BATCH) {
    const chats = await ChatModel.find({ _id: { $in: ids.slice(at, at + BATCH) } }).lean<ChatDoc[]>();
    for (const chat of chats) await repairChat(chat, newest.get(chat._id.toHexString()) as Trace);
  }
}

async function repairChat(chat: ChatDoc, newest: Trace): Promise<void> {
  const isOpen = newest.event === 'closed' && chat.status !== 'closed';
  if (chat.lastSeq >= newest.seq && !isOpen) return;
  const site = await liveSite(chat.site.toHexString());
  if (!site) return;
  await catchUp({ chat, site }, newest.seq);
  if (isOpen) await finishClose({ chat, site }, newest.author);
}

/** @returns the highest id of a second */
function lastIdOf(second: number): Types.ObjectId {
  return new Types.ObjectId(`${second.toString(16).padStart(8, '0')}${'f'.repeat(16)}`);
}
