import { events } from '#platform/events';
import { SECOND_MS } from '#platform/time';
import { startJobs } from './jobs.ts';
import { createWorkLeases, type Outcome, type WorkDoc, type WorkSource } from './leases.ts';

/** Poison message: work that was taken so often in a row without coming to an end kills the processes that do it. */
const TAKES_MAX = 5;
/** Partitions with due work that are kept in memory; further ones are found by the next look. */
const READY_MAX = 1_000;
/** After so many intervals a queue looks again although it knows of nothing due, because other processes add work. */
const LOOK_AGAIN_AFTER = 30;

/** Why work becomes a dead letter: it was not tried in time, killed its process again and again, or all its tries failed. */
export type DeadLetterReason = 'old' | 'killed' | 'failed';

/** At most `max` tries of what shares the limit, such as an account, run at the same time. */
export interface ConcurrencyLimit {
  name: string;
  /** 0: nothing of it is taken at present. */
  max: number;
}

/** The lease under which a try is made. */
export interface HeldLease<Doc> {
  /** Aborts when the process stops: what ends as `later` then is taken up by another. */
  signal: AbortSignal;
  /**
   * Prolongs the lease of long work.
   * @param progress what is stored of it: work that gets on is not counted as one that kills its process
   * @returns false: somebody else has the work now, or it was ended
   */
  renew(progress?: Partial<Doc>): Promise<boolean>;
}

/** A queue: where its work is, and how it is done. */
export interface QueueOptions<Doc extends WorkDoc> extends WorkSource<Doc> {
  /** For error reports. */
  name: string;
  /** One try. What it throws is reported, and counts as a failure. It may run twice, so it must be idempotent. */
  run(doc: Doc, lease: HeldLease<Doc>): Promise<Outcome<Doc>>;
  /** After this time, in milliseconds, work becomes a dead letter without a try. */
  notAfter?(doc: Doc): number;
  /** After so many tries that threw an error, work becomes a dead letter. */
  attemptsMax?: number;
  /** Ends a dead letter: work that is not tried any more. Whoever waits for it is notified here. */
  deadLetter(doc: Doc, why: DeadLetterReason): Outcome<Doc> | Promise<Outcome<Doc>>;
  /** Tries under way at the same time, in all. */
  concurrency: number;
  /** What the limits of a partition are shared by, such as an account. Asked once while work of it waits. */
  accountOf?(first: Doc): string | Promise<string>;
  /** The limits that a try of this partition counts for, besides `concurrency`. */
  limitsOf?(key: string, account: string): ConcurrencyLimit[];
  /** The partition that is always served first. */
  firstKey?: string;
  everyMs?: number | undefined;
  now: () => number;
}

/** A running queue on one node. */
export interface WorkQueue {
  start(): void;
  /** Work was added or became due. @param key its partition; left out: not known, or it is due later */
  wake(key?: string): void;
  /** Makes all waiting work of a partition due, and what fails or is put off by a try that began before. */
  retryNow(key: string): Promise<void>;
  /** Resolves when nothing is under way and nothing due is known. */
  idle(): Promise<void>;
  /** Stops after the tries under way, whose signals are aborted. */
  stop(): Promise<void>;
}

/**
 * Creates a durable queue of leased work, which lives in the documents of a collection: a piece of work is due at `dueAt`,
 * and whoever takes it moves that to the end of a lease. Partitions are served round robin, so that none delays the others.
 * Delivery is at least once, whatever crashes: the end of a try is stored only under the lease with which it was taken.
 */
export function createQueue<Doc extends WorkDoc>(options: QueueOptions<Doc>): WorkQueue {
  const { name, concurrency, now, everyMs = SECOND_MS, firstKey, accountOf, limitsOf = () => [] } = options;
  const leases = createWorkLeases(options);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  /** Partitions with work that may be due, in the order in which they are served, with their accounts if known. */
  const ready = new Map<string, string | undefined>();
  /** Tries under way, by limit. */
  const taken = new Map<string, number>();
  /** Ordering keys with a try under way, by partition. */
  const busyOrderingKeys = new Map<string, Set<unknown>>();
  /** The tries whose ends are not stored yet; `isRetried`: all work of the partition was made due meanwhile. */
  const unended = new Set<{ key: string; isRetried: boolean }>();
  /** Where the last look for due work ended. */
  let cursor: string | null = null;
  /** Before this time, as far as is known, nothing becomes due. */
  let nextAt = 0;
  /** When it looked last, by `performance.now`. */
  let lookedAt = 0;
  let dispatching: Promise<void> | undefined;
  let isDispatchedAgain = false;
  let jobs: ReturnType<typeof startJobs> | undefined;

  /** Finds those who have something due, by one query for each who has any work. */
  async function look(): Promise<void> {
    if (now() < nextAt && performance.now() - lookedAt < LOOK_AGAIN_AFTER * everyMs) return;
    lookedAt = performance.now();
    const begun = cursor;
    nextAt = Number.POSITIVE_INFINITY;
    try {
      await lookFrom(begun, null);
      if (begun !== null) await lookFrom(null, begun);
    } catch (error) {
      nextAt = 0;
      throw error;
    }
    dispatch();
  }

  async function lookFrom(from: string | null, upTo: string | null): Promise<void> {
    for (let at = from; !stopping.signal.aborted; ) {
      if (ready.size >= READY_MAX) nextAt = 0;
      const first = ready.size < READY_MAX ? await leases.firstAfter(at) : null;
      if (!first) return;
      at = leases.keyOf(first);
      if (upTo !== null && at > upTo) return;
      cursor = at;
      const dueAt = first.dueAt?.getTime() ?? 0;
      nextAt = Math.min(nextAt, dueAt);
      if (dueAt <= now() && !ready.has(at)) ready.set(at, undefined);
    }
  }

  function dispatch(): void {
    if (!jobs || stopping.signal.aborted) return;
    if (dispatching) {
      isDispatchedAgain = true;
      return;
    }
    dispatching = fillPlaces()
      .catch((error) => {
        nextAt = 0;
        events.fail(error, name);
      })
      .finally(() => {
        dispatching = undefined;
        if (!isDispatchedAgain) return;
        isDispatchedAgain = false;
        dispatch();
      });
  }

  async function fillPlaces(): Promise<void> {
    while (!stopping.signal.aborted && running.size < concurrency) {
      const next = await takeRoundRobin();
      if (!next) return;
      const worker = work(next)
        .catch((error) => events.fail(error, name))
        .finally(() => {
          running.delete(worker);
          dispatch();
        });
      running.add(worker);
    }
  }

  /** Takes work of the next one who has a place; who has got one is the last to be served then. */
  async function takeRoundRobin(): Promise<{ doc: Doc; key: string; account: string } | null> {
    const keys = [...ready.keys()];
    if (firstKey !== undefined && ready.has(firstKey)) keys.unshift(firstKey);
    for (const key of keys) {
      const account = ready.get(key) ?? (await accountFor(key));
      const limits = account === null ? null : limitsOf(key, account);
      if (account === null || limits?.some((limit) => limit.max === 0)) ready.delete(key);
      else if (!limits?.some(isFull)) {
        ready.delete(key);
        const doc = await leases.take(key, busyOrderingKeys.get(key) ?? new Set(), now());
        if (!doc) continue;
        ready.set(key, account);
        return { doc, key, account };
      }
    }
    return null;
  }

  /** @returns null: nothing waits for it */
  async function accountFor(key: string): Promise<string | null> {
    if (!accountOf) return '';
    const first = await leases.firstOf(key);
    const account = first && (await accountOf(first));
    if (account !== null && ready.has(key)) ready.set(key, account);
    return account;
  }

  const isFull = (limit: ConcurrencyLimit) => (taken.get(limit.name) ?? 0) >= limit.max;

  function occupy(limits: ConcurrencyLimit[], count: 1 | -1): void {
    for (const { name } of limits) {
      const now = (taken.get(name) ?? 0) + count;
      if (now > 0) taken.set(name, now);
      else taken.delete(name);
    }
  }

  /** Does the work, and then what follows in its lane, for as long as nobody waits for the place. */
  async function work({ doc, key, account }: { doc: Doc; key: string; account: string }): Promise<void> {
    const limits = limitsOf(key, account);
    const busy = busyOrderingKeys.get(key) ?? new Set();
    const orderingKey = options.ordering && doc[options.ordering.field]?.toString();
    occupy(limits, 1);
    busyOrderingKeys.set(key, busy.add(orderingKey));
    const mayGoOn = () =>
      running.size < concurrency &&
      limitsOf(key, account).every((limit) => limit.max > 0 && (taken.get(limit.name) ?? 0) <= limit.max);
    try {
      for (let next: Doc | null = doc; next; ) {
        const isOver = await finish(next, key);
        if (!isOver || !options.ordering || stopping.signal.aborted) return;
        if (!mayGoOn()) return await leases.makeNextDue(next, now());
        next = await leases.takeNext(next, now());
      }
    } finally {
      occupy(limits, -1);
      busy.delete(orderingKey);
      if (busy.size === 0) busyOrderingKeys.delete(key);
    }
  }

  /** @returns whether the work is over */
  async function finish(doc: Doc, key: string): Promise<boolean> {
    const one = { key, isRetried: false };
    unended.add(one);
    try {
      const outcome = await outcomeOf(doc);
      const dueAt = await leases.end(doc, outcome, now());
      if (dueAt !== null) nextAt = Math.min(nextAt, dueAt);
      if (outcome.end === 'done' || outcome.end === 'deleted') return true;
    } finally {
      unended.delete(one);
    }
    // What put it off is over: it was true when the try began.
    if (one.isRetried) await retryNow(key);
    return false;
  }

  async function retryNow(key: string): Promise<void> {
    for (const one of unended) if (one.key === key) one.isRetried = true;
    await leases.retryNow(key, now());
    wake(key);
  }

  async function outcomeOf(doc: Doc): Promise<Outcome<Doc>> {
    const { signal } = stopping;
    if ((doc.takes ?? 0) > TAKES_MAX) return options.deadLetter(doc, 'killed');
    if (options.notAfter && now() > options.notAfter(doc)) return options.deadLetter(doc, 'old');
    try {
      return await options.run(doc, { signal, renew: (progress) => leases.renew(doc, now(), progress) });
    } catch (error) {
      if (signal.aborted) return { end: 'later', at: now() };
      events.fail(error, name);
      const isLast = (doc.attempts ?? 0) >= (options.attemptsMax ?? Number.POSITIVE_INFINITY);
      return isLast ? options.deadLetter(doc, 'failed') : { end: 'failed' };
    }
  }

  function wake(key?: string): void {
    if (key === undefined) nextAt = 0;
    else if (!ready.has(key)) ready.set(key, undefined);
    jobs?.wake();
    dispatch();
  }

  return {
    start() {
      jobs ??= startJobs([look], {
        everyMs,
        now,
        failed: (error) => events.fail(error, name),
        hasUpcomingWork: async () => nextAt !== Number.POSITIVE_INFINITY || ready.size + running.size > 0,
      });
      dispatch();
    },
    wake,
    retryNow,
    async idle() {
      while (dispatching || running.size > 0) await Promise.all([dispatching, ...running]);
    },
    async stop() {
      stopping.abort();
      await jobs?.stop();
      await dispatching;
      await Promise.all(running);
    },
  };
}
