import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { events } from '../events.ts';
import { liveSite } from '../sites/guards.ts';
import { finishClose } from './lifecycle.ts';
import { type ChatDoc, ChatModel, CheckpointModel, type MessageDoc, MessageModel } from './model.ts';
import { catchUp, projectedSince } from './projection.ts';

const EVERY_MS = 10_000;
/** A message is in the store so many seconds after its id was made, or never: longer than a write is waited for. */
const SETTLED_AFTER_S = 10;
const BATCH = 1_000;
/** Without a checkpoint (an older Parley kept none), the newest messages are looked at: more than a crash can leave undone. */
const NEWEST = 5_000;
const CHECKPOINT = 'chatRows';

/** What is read of a message to find out whether its chat knows it. */
type Trace = Pick<MessageDoc, '_id' | 'chat' | 'seq' | 'event' | 'author'>;
const TRACE = { chat: 1, seq: 1, event: 1, author: 1 };

/**
 * Finds stored messages that nothing followed: their writer crashed, or never learned that they are stored. Runs on start,
 * and every ten seconds for what has settled since; one count of an index tells that nothing is missing.
 * @returns ends it, once the round under way is over
 */
export function startReconciler(): () => Promise<void> {
  const stopping = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    // Only before the start was nothing of this process on its way.
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
 * One round: looks at the messages since the checkpoint, and moves it. Both in seconds of the clock, included.
 * @param until up to when is looked @param settled up to when all messages are in the store that ever will be
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

/** Has what follows a message follow where the chat's row is behind it, and a chat closed whose closing message stands. */
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
  await catchUp({ chat, site });
  if (isOpen) await finishClose({ chat, site }, newest.author);
}

/** The last id that is made in a second. */
function lastIdOf(second: number): Types.ObjectId {
  return new Types.ObjectId(`${second.toString(16).padStart(8, '0')}${'f'.repeat(16)}`);
}
