import type { Types } from 'mongoose';
import type { Lease } from '#platform/cluster';
import { events } from '#platform/events';
import { startJobs } from '#platform/work';
import { type SiteDoc, SiteModel } from './model.ts';

/** Removes one feature's data of a site in bounded steps, until the signal aborts. Idempotent. */
export type Purger = (siteId: Types.ObjectId, signal: AbortSignal) => Promise<void>;

/**
 * How long the record of a deleted site is kept as a tombstone: data sent during the removal has been stored by then,
 * and a second purge removes it.
 */
const ROW_KEPT_MS = 3_600_000;
/** Delay before a failed removal is tried again. */
const AGAIN_AFTER_MS = 60_000;
const BATCH = 100;
/** Fields that remove all personal data from the tombstone. */
const NOBODYS = { name: '', domain: '', team: [], webhooks: [], rules: { list: [], rev: 0 } };

/** Timing of the search for deleted sites. */
interface Round {
  now: () => number;
  againAfterMs?: number;
  /** Of several nodes, only the one that has it searches. */
  lease?: Lease;
}

/**
 * Removes the data of deleted sites: at once, again after a failure or crash, and once more before the site's record is
 * removed.
 * @param purgers one for each feature that stores data of a site
 * @returns a disposer, which waits for the step under way
 */
export function startPurge(
  purgers: Purger[],
  { now, againAfterMs = AGAIN_AFTER_MS, lease }: Round,
): () => Promise<void> {
  const stopping = new AbortController();
  const failed = (error: unknown) => events.fail(error, 'purge');
  let atOnce = Promise.resolve();

  /** @returns whether nothing is left; a failure of one feature does not stop the others */
  async function remove(siteId: Types.ObjectId, signal: AbortSignal): Promise<boolean> {
    let isGone = true;
    for (const purge of purgers) {
      if (signal.aborted) return false;
      await purge(siteId, signal).catch((error) => {
        isGone = false;
        failed(error);
      });
    }
    return isGone && !signal.aborted;
  }

  async function purge({ _id, purgedAt, deletedAt = new Date() }: SiteDoc, signal: AbortSignal): Promise<void> {
    const isOld = deletedAt.getTime() < now() - ROW_KEPT_MS;
    if ((purgedAt && !isOld) || !(await remove(_id, signal))) return;
    if (purgedAt) await SiteModel.deleteOne({ _id, deletedAt: { $exists: true } });
    else await SiteModel.updateOne({ _id }, { $set: { ...NOBODYS, purgedAt: new Date(now()) } });
  }

  async function sweep(_now: number, signal: AbortSignal): Promise<void> {
    const deleted = SiteModel.find({ deletedAt: { $gt: new Date(0) } })
      .lean<SiteDoc>()
      .cursor({ batchSize: BATCH });
    for await (const site of deleted) {
      if (signal.aborted) return;
      await purge(site, signal);
    }
  }

  const stopListening = events.on('siteDeleted', ({ site }) => {
    atOnce = atOnce.then(() => purge({ ...site, deletedAt: new Date(now()) }, stopping.signal)).catch(failed);
  });
  const sweeps = startJobs([sweep], { everyMs: againAfterMs, now, failed, lease });
  return async () => {
    stopListening();
    stopping.abort();
    await Promise.all([sweeps.stop(), atOnce]);
  };
}
