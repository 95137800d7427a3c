import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import type { Lease } from '../cluster/lease.ts';
import { events } from '../events.ts';
import { Checkpoints } from './checkpoints.ts';
import { type MessageDoc, MessageModel } from './model.ts';

const EVERY_MS = 10_000;
/** While a projection has a backlog, the rounds follow each other with this pause. */
const BACKLOG_PAUSE_MS = 20;
/** Every so many rounds, projections are checked even if no message was stored since. */
const FULL_EVERY = 6;
/** Seconds after which a message is in the store or never will be: longer than the timeout of a write. */
const SETTLED_AFTER_S = 10;
/** More messages than this are not counted: they are a backlog. */
const COUNT_MAX = 200_000;
/** Messages that one repair reads at a time, and in one round. */
const BATCH = 200;
const ROUND_MAX = 2_000;
/** For how many seconds finished messages are remembered: far longer than a round takes. */
const REMEMBERED_S = 300;
/** Deleted chats that are remembered. */
const GONE_MAX = 10_000;

/** The messages of some seconds, in Unix time as in their ids: those after `after`, up to and including `until`. */
export interface Span {
  after: number;
  until: number;
}

/**
 * Work that follows stored messages: what it makes can be made again from what is stored. Its own listeners do the work;
 * the reconciler finds what was lost because a process crashed, a retry failed, or a write was never answered.
 */
export interface Projection {
  /** Also the id of its checkpoint. */
  name: string;
  /** Where checking begins if there is no checkpoint yet: after this second. It is stored as the first one. */
  first(): Promise<number>;
  /** Whether work may be missing. @param stored number of messages in the span */
  check(span: Span, stored: number): boolean | Promise<boolean>;
  /** The messages of a chat, or (null) of a whole site, are being deleted. */
  forget?(chatId: string | null): void;
  /** Does what is missing. Idempotent. @returns the second up to which nothing is missing now */
  repair(span: Span, signal: AbortSignal): Promise<number>;
}

/** Remembers the messages for which this process has finished some work. */
export class Finished {
  /** The chats of the messages, by second and then by message. */
  private readonly seconds = new Map<number, Map<string, string>>();
  /** Deleted chats: their messages may be finished later than they are deleted. */
  private readonly gone = new Set<string>();

  add({ _id, chat }: Pick<MessageDoc, '_id' | 'chat'>): void {
    if (this.gone.size > 0 && this.gone.has(chat.toHexString())) return;
    const second = secondOf(_id);
    const messages = this.seconds.get(second) ?? new Map<string, string>();
    messages.set(_id.toHexString(), chat.toHexString());
    if (this.seconds.has(second)) return;
    this.seconds.set(second, messages);
    for (const old of this.seconds.keys()) if (old < second - REMEMBERED_S) this.seconds.delete(old);
  }

  /** Counts the messages of a span, and forgets earlier ones. */
  count({ after, until }: Span): number {
    let count = 0;
    for (const [second, messages] of this.seconds) {
      if (second <= after) this.seconds.delete(second);
      else if (second <= until) count += messages.size;
    }
    return count;
  }

  /** Forgets the messages of a deleted chat: they would be counted in place of others that were lost. */
  forget(chatId: string): void {
    if (this.gone.size >= GONE_MAX) this.gone.clear();
    this.gone.add(chatId);
    for (const messages of this.seconds.values())
      for (const [id, chat] of messages) if (chat === chatId) messages.delete(id);
  }

  clear(): void {
    this.seconds.clear();
  }
}

/** A projection whose work is done message by message. */
export function messageProjection<Fields extends keyof MessageDoc>({
  fields,
  finished,
  repair,
  ...named
}: {
  name: string;
  first(): Promise<number>;
  /** Which fields of the messages `repair` needs. */
  fields: readonly Fields[];
  finished(): Finished;
  /** Does what is missing for some messages in the order of their ids. Idempotent. */
  repair(messages: Pick<MessageDoc, Fields | '_id'>[]): Promise<void>;
}): Projection {
  const read = Object.fromEntries(fields.map((field) => [field, 1]));
  return {
    ...named,
    check: (span, stored) => stored !== finished().count(span),
    forget: (chatId) => (chatId === null ? finished().clear() : finished().forget(chatId)),
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

/** Reports that a projection had lost work, if there are any such chats. */
export function reportLost(projection: string, chats: number): void {
  if (chats > 0) void events.emit('lostWorkFound', { projection, chats });
}

/** @returns the second before the newest `count` messages */
export async function secondBeforeNewest(count: number): Promise<number> {
  const [oldest] = await MessageModel.find({}, { _id: 1 }).sort({ _id: -1 }).skip(count).limit(1).lean();
  return oldest ? secondOf(oldest._id) - 1 : 0;
}

/**
 * Stores where the first check of each projection begins. To be called before any message can come: processes that die
 * before they have checked anything would otherwise each begin later than the one before.
 */
export async function beginChecking(projections: Projection[]): Promise<void> {
  const checkpoints = new Checkpoints();
  await checkpoints.read(projections.map(({ name }) => name));
  for (const { name, first } of projections)
    if (checkpoints.get(name) === undefined) await checkpoints.begin(name, await first());
}

/**
 * Runs the projections' repairs: at the start for what a crash left, and every ten seconds for what has settled since. One
 * count on an index shows that nothing is missing. Of several nodes, the one with the lease does it.
 * @returns a disposer, which waits for the step under way
 */
export function startReconciler(
  projections: Projection[],
  lease: Lease,
  { isAlone, everyMs = EVERY_MS }: { isAlone: boolean; everyMs?: number | undefined },
): () => Promise<void> {
  const stopping = new AbortController();
  const checkpoints = new Checkpoints();
  let round = 0;
  const forget = (chatId: string | null) => {
    for (const projection of projections) projection.forget?.(chatId);
  };
  const stopListening = events.stopAll([
    lease.whenTaken(() => {
      // Another node had it, and moved the checkpoints.
      checkpoints.clear();
      round = 0;
    }),
    events.everywhere('chatGone', ({ chat }) => forget(chat._id.toHexString())),
    events.on('siteDeleted', () => forget(null)),
  ]);
  const running = run();

  async function run(): Promise<void> {
    // A single node had no message on its way before its start, so its first round checks up to now.
    let until = secondsNow() - (isAlone ? 0 : SETTLED_AFTER_S);
    while (!stopping.signal.aborted) {
      const isFull = round++ % FULL_EVERY === 0;
      const isBehind = (await lease.take()) && (await runRound({ until, isFull }));
      const pause = isBehind ? BACKLOG_PAUSE_MS : everyMs;
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      until = secondsNow() - SETTLED_AFTER_S;
    }
  }

  async function runRound({ until, isFull }: Pick<Round, 'until' | 'isFull'>): Promise<boolean> {
    const settled = secondsNow() - SETTLED_AFTER_S;
    try {
      return await reconcile(projections, { until, settled, isFull, signal: stopping.signal }, checkpoints);
    } catch (error) {
      events.fail(error, 'reconciler');
      return false;
    }
  }

  return () => {
    stopListening();
    stopping.abort();
    return running;
  };
}

const secondsNow = () => Math.floor(Date.now() / 1000);

/** What one round covers. */
interface Round {
  /** Check up to this second. */
  until: number;
  /** Up to this second no further message can appear in the store. */
  settled: number;
  /** Check also projections whose work does not only come from messages. */
  isFull: boolean;
  signal: AbortSignal;
}

/**
 * One round: each projection is checked, and repaired if need be, from its own checkpoint on. The failure of one does not
 * stop the others, and leaves its checkpoint where it was.
 * @param checkpoints those that earlier rounds read or moved
 * @returns whether any has more to repair than fits in one round
 */
export async function reconcile(
  projections: Projection[],
  { until, settled, isFull, signal }: Round,
  checkpoints = new Checkpoints(),
): Promise<boolean> {
  await checkpoints.read(projections.map(({ name }) => name));
  const counts = new Map<number, number>();
  let isBehind = false;

  async function storedSince(after: number): Promise<number> {
    const span = { $gt: lastIdOf(after), $lte: lastIdOf(until) };
    const stored = counts.get(after) ?? (await MessageModel.countDocuments({ _id: span }, { limit: COUNT_MAX }));
    counts.set(after, stored);
    return stored;
  }

  async function bring(projection: Projection): Promise<void> {
    const checkpoint = checkpoints.get(projection.name);
    const span = { after: checkpoint ?? (await projection.first()), until };
    if (until <= span.after) return;
    const stored = checkpoint !== undefined ? await storedSince(span.after) : COUNT_MAX;
    if (stored === 0 && !isFull) return;
    const isRight = !(await projection.check(span, stored));
    const second = isRight ? until : await projection.repair(span, signal);
    if (second < until && !signal.aborted) isBehind = true;
    if (stored > 0) checkpoints.move(projection.name, Math.min(second, settled));
  }

  for (const projection of projections) {
    if (signal.aborted) break;
    await bring(projection).catch((error) => events.fail(error, `reconciler of ${projection.name}`));
  }
  const checked = Math.max(0, ...counts.values());
  if (checked > 0) await checkpoints.save(checked);
  return isBehind;
}

const secondOf = (id: Types.ObjectId) => id.getTimestamp().getTime() / 1000;

/** @returns the highest id of a second */
export function lastIdOf(second: number): Types.ObjectId {
  return new Types.ObjectId(`${second.toString(16).padStart(8, '0')}${'f'.repeat(16)}`);
}
