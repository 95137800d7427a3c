import { RATING_MAX } from '#features/chats/contract';
import { type AgentCounts, type Buckets, Durations } from '#features/overview';
import type { AgentReport } from './contract.ts';

/** Numbers of ratings, by their stars. */
export class Stars {
  readonly counts = new Array<number>(RATING_MAX).fill(0);

  add(stars: number, count: number): void {
    this.counts[stars - 1] = (this.counts[stars - 1] ?? 0) + count;
  }

  get ratings(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** To a hundredth. */
  get average(): number | null {
    const stars = this.counts.reduce((sum, count, at) => sum + count * (at + 1), 0);
    return this.ratings === 0 ? null : Math.round((stars / this.ratings) * 100) / 100;
  }
}

/** What one agent did on all sites and days, or what was done in one department. */
export class Totals {
  readonly answered = new Durations();
  readonly resolved = new Durations();
  readonly ratings = new Stars();

  /** Adds what was counted in quarters of an hour that are within the report. @returns whether there was anything */
  add(counts: AgentCounts, isWithin: (slot: string) => boolean): boolean {
    let isAny = false;
    for (const what of ['answered', 'resolved', 'ratings'] as const) {
      eachBucket(counts[what], (slot, bucket, count) => {
        if (!isWithin(slot)) return;
        this[what].add(bucket, count);
        isAny = true;
      });
    }
    return isAny;
  }

  /** What a report says of it. */
  figures(): Omit<AgentReport, 'agent'> {
    const { answered, resolved, ratings } = this;
    return {
      answered: answered.count,
      responseMinutes: answered.median(),
      resolved: resolved.count,
      resolutionMinutes: resolved.median(),
      ratings: ratings.ratings,
      rating: ratings.average,
    };
  }
}

/** Visits each bucket that is not empty, with its quarter of an hour, its number and its count. */
export function eachBucket(slots: Buckets = {}, visit: (slot: string, bucket: number, count: number) => void): void {
  for (const [slot, buckets] of Object.entries(slots)) {
    for (const [name, count] of Object.entries(buckets)) if (count > 0) visit(slot, Number(name.slice(1)), count);
  }
}
