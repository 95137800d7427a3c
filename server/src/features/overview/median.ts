import { MINUTE_S, SECOND_MS } from '#platform/time';

/** Each bucket ends 19 % above the one before, so a median is exact to 9 %. */
const BUCKETS_PER_DOUBLING = 4;
const BUCKET_MAX = 88;

/** The bucket of a duration. Bucket 0 holds all up to a second, the last one all beyond six weeks. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil(BUCKETS_PER_DOUBLING * Math.log2(Math.max(ms, SECOND_MS) / SECOND_MS));
  return Math.min(bucket, BUCKET_MAX);
}

/** A histogram of durations: only the bucket of each is known. */
export class Durations {
  private readonly counts = new Array<number>(BUCKET_MAX + 1).fill(0);

  add(bucket: number, count: number): void {
    this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + Math.max(0, count), 0);
  }

  /** The median in minutes, rounded to a tenth; null if there are no durations. */
  median(): number | null {
    const total = this.count;
    let below = 0;
    for (const [bucket, count] of this.counts.entries()) {
      below += Math.max(0, count);
      if (total > 0 && below >= total / 2) return minutesIn(bucket);
    }
    return null;
  }
}

/** The middle of a bucket, in minutes. */
function minutesIn(bucket: number): number {
  const seconds = 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);
  return Math.round((seconds / MINUTE_S) * 10) / 10;
}
