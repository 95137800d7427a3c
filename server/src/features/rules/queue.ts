import { type ChatDoc, ChatModel } from '#features/chats';
import { liveSite, type RuleDoc, rulesOf, type SiteDoc, uncachedSite } from '#features/sites';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#platform/time';
import { createQueue, type HeldLease, type Outcome, type WorkQueue } from '#platform/work';
import { addRuns, dueRun } from './events.ts';
import { type RuleRunDoc, RuleRunModel } from './model.ts';
import { type Doing, perform } from './perform.ts';

/** The lease of work, longer than one action takes. */
const LEASE_MS = MINUTE_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];
const ATTEMPTS_MAX = 6;
/** Work that is older helps nobody any more. */
const TRIED_MS = HOUR_MS;
const AT_ONCE = 8;
const AT_ONCE_PER_SITE = 2;

type Ended = Outcome<RuleRunDoc>;

/** The queue of what rules have to do. */
export function createRuleQueue(deps: Doing, everyMs?: number): WorkQueue {
  const { now, limits } = deps;

  async function run(doc: RuleRunDoc, lease: HeldLease<RuleRunDoc>): Promise<Ended> {
    const [chat, found] = await Promise.all([ChatModel.findById(doc.chat).lean<ChatDoc>(), ruleOf(doc)]);
    // A rule that was switched off or deleted meanwhile does nothing more.
    if (!chat || chat.blocked || !found?.rule.enabled) return { end: 'deleted' };
    if (doc.waitingSince) return endWait(doc, chat, found);
    if (doc.actions.every(({ outcome }) => !outcome)) {
      const isWithin = await limits.mayTake('ruleRunsPerSite', doc.site.toHexString());
      if (!isWithin) return { end: 'later', at: now() + MINUTE_MS };
    }
    for (const [position, { action, outcome }] of doc.actions.entries()) {
      if (outcome) continue;
      doc.actions[position] = {
        action,
        outcome: await perform(deps, { run: doc, site: found.site }, action, position),
      };
      if (!(await lease.renew({ actions: doc.actions }))) return { end: 'later', at: now() };
    }
    return { end: 'done', set: { actions: doc.actions, doneAt: new Date(now()) } };
  }

  /** The time of a rule that waits for an answer has come, unless there was one. */
  async function endWait(doc: RuleRunDoc, chat: ChatDoc, { site, rule }: Found): Promise<Ended> {
    const since = doc.waitingSince?.getTime() ?? 0;
    if (!chat.open || chat.waitingSince?.getTime() !== since || rule.minutes === null) return { end: 'deleted' };
    const dueAt = since + rule.minutes * MINUTE_MS;
    if (dueAt > now()) return { end: 'later', at: dueAt };
    const due = await dueRun({ site, chat }, rule, doc, now());
    if (due) await addRuns(site._id, [due]);
    return { end: 'deleted' };
  }

  return createQueue<RuleRunDoc>({
    name: 'rules',
    model: RuleRunModel,
    partitionBy: 'site',
    ordering: { field: 'lane', order: { order: 1, _id: 1 } },
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    concurrency: AT_ONCE,
    limitsOf: (site) => [{ name: site, max: AT_ONCE_PER_SITE }],
    attemptsMax: ATTEMPTS_MAX,
    notAfter: ({ at, waitingSince }) => (waitingSince ? Number.POSITIVE_INFINITY : at.getTime() + TRIED_MS),
    run,
    deadLetter: ({ actions, waitingSince }) =>
      waitingSince
        ? { end: 'deleted' }
        : {
            end: 'done',
            set: {
              actions: actions.map(({ action, outcome = 'failed' }) => ({ action, outcome })),
              doneAt: new Date(now()),
            },
          },
    everyMs,
    now,
  });
}

interface Found {
  site: SiteDoc;
  rule: RuleDoc;
}

/** The rule as it is now, which may be newer than what this node remembers of the site; null: it is gone. */
async function ruleOf({ site: siteId, rule: { _id } }: RuleRunDoc): Promise<Found | null> {
  const of = (site: SiteDoc | null) => {
    const rule = site && rulesOf(site).find((each) => each._id.toHexString() === _id);
    return site && rule && !site.deletedAt ? { site, rule } : null;
  };
  return of(await liveSite(siteId.toHexString())) ?? of(await uncachedSite(siteId.toHexString()));
}
