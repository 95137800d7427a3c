import { liveSite } from '#features/sites';
import type { Usage } from '#features/usage';
import type { Cluster } from '#platform/cluster';
import { events } from '#platform/events';
import { readBlob } from '#platform/files';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { createQueue, type HeldLease, type Outcome } from '#platform/work';
import type { ImportCounts, ImportFailure, ImportStatus } from './contract.ts';
import type { ErasedPeople } from './erased.ts';
import { type ImportDoc, ImportModel, NO_COUNTS, removeImportFiles } from './model.ts';
import { type Reader, ReadFailure, startReader } from './reader.ts';
import { planStep, type Step, startConversations, storePart } from './steps.ts';

/** Longer than reading a file and storing one step take. */
const LEASE_MS = MINUTE_MS;
/** An import fails after this many errors of the server; somebody may start it again. */
const FAILURES_MAX = 5;
const BACKOFF_MS = [SECOND_MS, 10 * SECOND_MS, MINUTE_MS] as const;
/** The time slice of an import while those of other people wait. */
const TURN_MS = 20 * SECOND_MS;
/** A large file takes hundreds of megabytes. */
const AT_ONCE = 1;

export interface ImportDeps {
  usage: Usage;
  erased: ErasedPeople;
  /** The built `import-worker`. */
  importReader: URL;
  cluster: Cluster | null;
  noticesEveryMs: number | undefined;
  now: () => number;
}

type ImportOutcome = Outcome<ImportDoc>;

/**
 * Runs imports, each step under the lease of the queue. One that a crash cut off is continued, and one that kills its process
 * again and again is given up. Those who import are served round robin.
 * @returns a disposer
 */
export async function startImports(deps: ImportDeps): Promise<() => Promise<void>> {
  const { cluster, now } = deps;
  const queue = createQueue<ImportDoc>({
    name: 'imports',
    model: ImportModel,
    partitionBy: 'by',
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    attemptsMax: FAILURES_MAX,
    concurrency: AT_ONCE,
    everyMs: deps.noticesEveryMs,
    now,
    run: (doc, lease) => runFor(doc, lease, deps),
    deadLetter: (doc) => over(doc, 'failed', 'UNAVAILABLE'),
  });
  // An older release has queued imports without a time, and of a single node all leases are those of dead processes.
  const adopt = (filter: object) =>
    ImportModel.updateMany({ active: true, ...filter }, { $set: { dueAt: new Date(now()) } });
  const withoutTime = { dueAt: { $exists: false } };
  await adopt(cluster ? withoutTime : {});
  queue.start();
  const stopListening = events.everywhere('importAwaited', async () => {
    await adopt(withoutTime);
    queue.wake();
  });
  return async () => {
    stopListening();
    await queue.stop();
  };
}

/** Works on an import until it is over, or others are waiting. */
async function runFor(doc: ImportDoc, lease: HeldLease<ImportDoc>, deps: ImportDeps): Promise<ImportOutcome> {
  // All is stored, and only the end is missing.
  if (doc.total !== null && doc.done >= doc.total) return finish(doc);
  const reader = startReader(deps.importReader);
  try {
    return await steps(doc, reader, lease, deps);
  } catch (error) {
    if (error instanceof ReadFailure && error.reason !== 'UNAVAILABLE') return over(doc, 'failed', error.reason);
    throw error;
  } finally {
    reader.close();
  }
}

async function steps(
  doc: ImportDoc,
  reader: Reader,
  lease: HeldLease<ImportDoc>,
  deps: ImportDeps,
): Promise<ImportOutcome> {
  const { plan, startedAt = Date.now() } = doc;
  const began = performance.now();
  await reader.open(readBlob(doc._id, doc.size ?? 0));
  const { total, skipped } = await reader.plan(plan, startedAt);
  let { done, said = 0 } = doc;
  let counts: ImportCounts = done + said > 0 ? doc.counts : { ...NO_COUNTS, skipped };
  let isCancelled = false;

  /** Stores how far it got. @returns whether it goes on */
  async function note(): Promise<boolean> {
    isCancelled ||= !(await lease.renew({ done, said, total, counts }));
    if (lease.signal.aborted) return false;
    // A conversation that is stored in part is completed.
    if (isCancelled) return said > 0;
    return performance.now() - began < TURN_MS || !(await doOthersWait(doc, deps.now()));
  }

  while (done < total) {
    const site = await liveSite(doc.site.toHexString());
    if (!site) return over(doc, 'cancelled');
    const heads = await reader.heads(done);
    const step: Step = { site, run: doc, heads, erased: deps.erased };
    const planned = await planStep(step, counts);
    if (said === 0) counts = planned.counts;
    if (doc.status === 'importing') {
      const bytes = planned.added.reduce((sum, { head }) => sum + head.bytes, 0);
      if (said === 0 && !deps.usage.fits(doc.site.toHexString(), { text: bytes }))
        return over(doc, 'failed', 'SITE_FULL');
      const chats = await startConversations(step, planned.added);
      let stored = await storePart(step, chats, { reader, first: done, from: said });
      // Only a conversation that is alone in its step is longer than a step.
      for (said += stored; chats.length === 1 && stored > 0 && said < (chats[0]?.head.messages ?? 0); said += stored) {
        if (!(await note())) return pause(deps.now());
        stored = await storePart(step, chats, { reader, first: done, from: said });
      }
    }
    done += heads.length;
    said = 0;
    if (!(await note())) return pause(deps.now());
  }
  await lease.renew({ done: total, said, total, counts });
  return finish({ ...doc, counts });
}

/** It goes on later; one that was cancelled has lost its lease, and stays so. */
const pause = (at: number): ImportOutcome => ({ end: 'later', at });

async function doOthersWait({ by }: ImportDoc, now: number): Promise<boolean> {
  return (await ImportModel.exists({ by: { $ne: by }, dueAt: { $lte: new Date(now) } })) !== null;
}

/** The file goes first: what a crash cuts off here is found by its lease. */
async function finish(doc: ImportDoc): Promise<ImportOutcome> {
  if (doc.status === 'checking') return over(doc, 'checked');
  await removeImportFiles([doc._id]);
  return over(doc, 'done');
}

function over({ status }: ImportDoc, next: ImportStatus, failure: ImportFailure | null = null): ImportOutcome {
  const finishedAt = next === 'checked' ? null : new Date();
  // What a dry run has counted before it failed is stored nowhere.
  const counted = failure !== null && status === 'checking' ? { counts: NO_COUNTS } : {};
  return { end: 'done', set: { status: next, failure, finishedAt, ...counted }, unset: ['active'] };
}
