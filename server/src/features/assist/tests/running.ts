import type { Types } from 'mongoose';
import { ArticleTextModel } from '#features/articles';
import { liveSite } from '#features/sites';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS } from '#platform/time';
import { createQueue, type HeldLease, type Job, type Outcome } from '#platform/work';
import type { AskAssistant } from '../asking.ts';
import { runTestsAt } from './tests.ts';
import { type TestDoc, type TestsDoc, TestsModel } from './testsModel.ts';

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
  ask: AskAssistant;
  everyMs: number | undefined;
  now: () => number;
}

/**
 * Runs test questions: when they were saved, when somebody asks for it, and after what readers see has changed.
 * @returns a disposer
 */
export function startTests({ ask, everyMs, now }: RunningDeps): () => Promise<void> {
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
    run: (doc, lease) => runAll(doc, lease, { ask, now }),
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
  { ask, now }: Pick<RunningDeps, 'ask' | 'now'>,
): Promise<Outcome<TestsDoc>> {
  const site = await liveSite(doc.site.toHexString());
  if (!site) return { end: 'done' };
  const began = new Date(now());
  const tests: TestDoc[] = [];
  for (const test of doc.tests) {
    if (lease.signal.aborted || !(await lease.renew())) return { end: 'later', at: now() };
    const answer = await ask(site, test.question, test.lang);
    tests.push(answer ? { ...test, result: { ...resultOf(test, answer), at: new Date(now()) } } : test);
  }
  return { end: 'done', set: { tests, ranAt: began }, onlyIf: { rev: doc.rev } };
}

type Found = NonNullable<Awaited<ReturnType<AskAssistant>>>;

/** A question passes if the expected article is the first of what the answer is made of, or nobody but a person is to answer. */
function resultOf(
  { article }: TestDoc,
  { sources }: Found,
): { passed: boolean; got: string | null; title: string | null } {
  const [first] = sources;
  const passed = article === null ? !first : sources.some((source) => source.article === article);
  const shown = sources.find((source) => source.article === article) ?? first;
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
