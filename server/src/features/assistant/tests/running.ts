import type { Types } from 'mongoose';
import { ArticleTextModel } from '#features/articles';
import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { createQueue, type HeldLease, type Job, type Outcome } from '#platform/work';
import type { Asker } from '../asking.ts';
import type { AnswerSource } from '../contract.ts';
import { runTestsAt } from './tests.ts';
import { type TestDoc, type TestResultDoc, type TestsDoc, TestsModel } from './testsModel.ts';

declare module '#platform/events' {
  interface Events {
    /** Test questions of a site are due. */
    testsAwaited: { siteId: string };
  }
}

/** Debounce: several articles are published one after the other. */
const AFTER_CHANGE_MS = 20 * SECOND_MS;
/** Longer than one question takes with a slow model. */
const LEASE_MS = 3 * MINUTE_MS;
const BACKOFF_MS = [30 * SECOND_MS, 5 * MINUTE_MS];
const FAILURES_MAX = 5;
/** Sites whose questions run at the same time on one node. */
const AT_ONCE = 1;

interface RunningDeps {
  asker: Asker;
  everyMs: number | undefined;
  now: () => number;
}

/**
 * Runs test questions: when they were saved, when somebody asks for it, and after what readers see has changed.
 * @returns a disposer
 */
export function startTests({ asker, everyMs, now }: RunningDeps): () => Promise<void> {
  const queue = createQueue<TestsDoc>({
    name: 'test questions of assistants',
    model: TestsModel,
    partitionBy: 'site',
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    attemptsMax: FAILURES_MAX,
    concurrency: AT_ONCE,
    everyMs,
    now,
    run: (doc, lease) => runAll(doc, lease, { asker, now }),
    deadLetter: () => ({ end: 'done' }),
  });
  queue.start();
  const onChange = async ({ site }: { site: { _id: Types.ObjectId } }) => {
    if (await runTestsAt(site._id, new Date(now() + AFTER_CHANGE_MS))) queue.wake();
  };
  const stopListening = events.stopAll([
    events.on('articlePublished', onChange),
    events.on('articleWithdrawn', onChange),
    events.on('articleDeleted', onChange),
    events.on('testsAwaited', ({ siteId }) => queue.wake(siteId)),
  ]);
  return async () => {
    stopListening();
    await queue.stop();
  };
}

/** Asks one question after the other. What was stored meanwhile is run again, by the same queue. */
async function runAll(
  doc: TestsDoc,
  lease: HeldLease<TestsDoc>,
  { asker, now }: Pick<RunningDeps, 'asker' | 'now'>,
): Promise<Outcome<TestsDoc>> {
  const site = await liveSite(doc.site.toHexString());
  if (!site) return { end: 'done' };
  const began = new Date(now());
  const tests: TestDoc[] = [];
  for (const test of doc.tests) {
    if (lease.signal.aborted || !(await lease.renew())) return { end: 'later', at: now() };
    const sources = await asker.sources(site, test.question, test.lang);
    tests.push(sources ? { ...test, result: { ...resultOf(test, sources), at: new Date(now()) } } : test);
  }
  return { end: 'done', set: { tests, ranAt: began }, onlyIf: { rev: doc.rev } };
}

/** A question passes if the expected article is among the sources, or if there are none and a person is to answer. */
function resultOf({ article }: TestDoc, sources: AnswerSource[]): Omit<TestResultDoc, 'at'> {
  const expected = sources.find((source) => source.article === article);
  const shown = expected ?? sources[0];
  const passed = article === null ? !shown : expected !== undefined;
  return { passed, got: shown?.article ?? null, title: shown?.title ?? null };
}

/** A job: finds questions that were not run after a change, because the process died between the two. */
export const findMissedTests: Job = async (now, signal) => {
  const idle = TestsModel.find(
    { dueAt: { $exists: false }, 'tests.0': { $exists: true } },
    { ranAt: 1 },
  ).lean<TestsDoc>();
  for await (const { _id, ranAt = new Date(0) } of idle.cursor()) {
    if (signal.aborted) return;
    if (await ArticleTextModel.exists({ site: _id, 'published.at': { $gt: ranAt, $lt: new Date(now - MINUTE_MS) } }))
      await runTestsAt(_id, new Date(now));
  }
};
