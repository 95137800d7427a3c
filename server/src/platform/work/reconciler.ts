import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { type Lease, whileHeld } from '#platform/cluster';
import { events } from '#platform/events';
import { SECOND_MS } from '#platform/time';
import { Checkpoints } from './checkpoints.ts';
import type { CountOfSecond, ProcessedMessages, Span } from './processed.ts';

declare module '#platform/events' {
  interface Events {
    /** A node has processed messages: how many of each second. */
    workFinished: { node: string; projection: string; counts: CountOfSecond[] };
  }
}
events.crossesNodes('workFinished');

const EVERY_MS = 10_000;
/** The interval at which nodes send each other their counts: several times before a second is checked. */
const PUBLISH_EVERY_MS = 2_000;
/** While a projection has a backlog, the rounds follow each other with this pause. */
const BACKLOG_PAUSE_MS = 20;
/** Every so many rounds, projections are checked even if no message was stored since. */
const FULL_EVERY = 6;
/** Seconds after which a message is in the store or never will be: longer than the timeout of a write. */
const STABLE_AFTER_S = 10;
/** The check waits for slow clocks only this long: for longer, lost work would stay undone. The self-check reports such clocks. */
const BEHIND_MAX_MS = 120_000;
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
  /** The processed messages, where the work is done message by message. */
  processed?: ProcessedMessages;
  /** Does what is missing. Idempotent. @returns the second up to which nothing is missing now */
  repair(span: Span, signal: AbortSignal): Promise<number>;
}

/** Reports that a projection had lost work, if there are any such chats. */
export function reportLost(projection: string, chats: number): void {
  if (chats > 0) void events.emit('lostWorkFound', { projection, chats });
}

/**
 * Stores where the first check of each projection begins. To be called before any message can come: processes that die
 * before they have checked anything would otherwise each begin later than the one before.
 */
export async function initCheckpoints(projections: Projection[]): Promise<void> {
  const checkpoints = new Checkpoints();
  await checkpoints.read(projections.map(({ name }) => name));
  for (const { name, first } of projections)
    if (checkpoints.get(name) === undefined) await checkpoints.begin(name, await first());
}

/** How the reconciler runs. */
interface ReconcilerOptions {
  count: CountStored;
  isAlone: boolean;
  /** By how much the slowest clock of all nodes is behind: the ids of its messages are as much older. */
  slowestBehindMs?: (() => number) | undefined;
  everyMs?: number | undefined;
}

/**
 * Runs the projections' repairs: at the start for what a crash left, and every ten seconds for what has settled since. One
 * count on an index shows that nothing is missing. Of several nodes, the one with the lease does it.
 * @returns a disposer, which waits for the step under way
 */
export function startReconciler(
  projections: Projection[],
  lease: Lease,
  { count, isAlone, slowestBehindMs = () => 0, everyMs = EVERY_MS }: ReconcilerOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const checkpoints = new Checkpoints();
  let round = 0;
  const node = randomUUID();
  const ofMessages = projections.flatMap(({ name, processed }) => (processed ? [{ projection: name, processed }] : []));
  const stopListening = events.stopAll([
    lease.whenTaken(() => {
      // Another node had it, and moved the checkpoints.
      checkpoints.clear();
      round = 0;
    }),
    events.everywhere('chatGone', ({ chat }) => {
      for (const { processed } of ofMessages) processed.forget(chat._id.toHexString());
    }),
    events.on('siteDeleted', () => {
      for (const { processed } of ofMessages) processed.clear();
    }),
    events.everywhere('workFinished', (report) => {
      for (const { projection, processed } of ofMessages)
        if (projection === report.projection) processed.merge(report.node, report.counts);
    }),
  ]);
  const publishTimer = isAlone ? undefined : setInterval(publishCounts, PUBLISH_EVERY_MS).unref();
  const running = run();

  function publishCounts(): void {
    for (const { projection, processed } of ofMessages) {
      const counts = processed.takeChanges();
      if (counts.length > 0) events.emitElsewhere('workFinished', { node, projection, counts });
    }
  }

  async function run(): Promise<void> {
    // A single node had no message on its way before its start, so its first round checks up to now.
    let until = isAlone ? secondsNow() : stableUntil();
    while (!stopping.signal.aborted) {
      const isFull = round++ % FULL_EVERY === 0;
      const isBehind = (await lease.take()) && (await runRound({ until, isFull }));
      const pause = isBehind ? BACKLOG_PAUSE_MS : everyMs;
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      until = stableUntil();
    }
  }

  function stableUntil(): number {
    const behindMs = Math.min(Math.max(0, slowestBehindMs()), BEHIND_MAX_MS);
    return secondsNow() - STABLE_AFTER_S - Math.ceil(behindMs / SECOND_MS);
  }

  async function runRound({ until, isFull }: Pick<Round, 'until' | 'isFull'>): Promise<boolean> {
    const stable = stableUntil();
    try {
      return await whileHeld(lease, stopping.signal, (signal) =>
        reconcile(projections, { count, until, stable, isFull, signal }, checkpoints),
      );
    } catch (error) {
      events.fail(error, 'reconciler');
      return false;
    }
  }

  return () => {
    stopListening();
    clearInterval(publishTimer);
    stopping.abort();
    return running;
  };
}

/** The seconds since 1970, as ids have them. */
export const secondsNow = () => Math.floor(Date.now() / 1000);

/** Counts the messages of a span. */
type CountStored = (span: Span) => Promise<number>;

/** What one round covers. */
interface Round {
  count: CountStored;
  /** Check up to this second. */
  until: number;
  /** Up to this second no further message can appear in the store. */
  stable: number;
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
  { count, until, stable, isFull, signal }: Round,
  checkpoints = new Checkpoints(),
): Promise<boolean> {
  await checkpoints.read(projections.map(({ name }) => name));
  const counts = new Map<number, number>();
  let isBehind = false;

  async function storedSince(after: number): Promise<number> {
    const stored = counts.get(after) ?? (await count({ after, until }));
    counts.set(after, stored);
    return stored;
  }

  async function bring(projection: Projection): Promise<void> {
    const checkpoint = checkpoints.get(projection.name);
    const span = { after: checkpoint ?? (await projection.first()), until };
    if (until <= span.after) return;
    const stored = checkpoint !== undefined ? await storedSince(span.after) : Number.POSITIVE_INFINITY;
    if (stored === 0 && !isFull) return;
    const isRight = !(await projection.check(span, stored));
    const second = isRight ? until : await projection.repair(span, signal);
    if (second < until && !signal.aborted) isBehind = true;
    // Also where nothing was stored: what is imported later has ids of the past, which are behind it then.
    checkpoints.move(projection.name, Math.min(second, stable));
  }

  for (const projection of projections) {
    if (signal.aborted) break;
    await bring(projection).catch((error) => events.fail(error, `reconciler of ${projection.name}`));
  }
  const checked = Math.max(0, ...counts.values());
  if (checked > 0 || isFull) await checkpoints.save(checked);
  return isBehind;
}

/** @returns the highest id of a second */
export function lastIdOf(second: number): Types.ObjectId {
  return new Types.ObjectId(`${second.toString(16).padStart(8, '0')}${'f'.repeat(16)}`);
}
