import { type ChatDoc, ChatModel } from '#features/chats';
import { type SiteDoc, SiteModel } from '#features/sites';
import { events } from '#platform/events';
import { MINUTE_MS } from '#platform/time';
import { createQueue, type Outcome as WorkOutcome, type WorkQueue } from '#platform/work';
import { notifyOfHandOvers } from './handOvers.ts';
import { mailMentioned } from './mentionMail.ts';
import { notifyOfMentions } from './mentionNotices.ts';
import { notifyOfMessages } from './messages.ts';
import {
  MAX_AGE_MS,
  type NoticeContext,
  type NoticeDoc,
  type NoticeKind,
  NoticeModel,
  type NotifyDeps,
  type Outcome,
} from './model.ts';
import { pushAgain } from './push.ts';
import { scheduleNotices } from './schedule.ts';
import { mailTeam } from './teamMail.ts';
import { mailVisitor, rememberRefusals } from './visitorMail.ts';

/** The lease of a notice, longer than writing its mails takes: after it, the process that took the notice must have died. */
const LEASE_MS = MINUTE_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** A notice that could not be written so often is out of date. */
const ATTEMPTS_MAX = 10;

const WRITERS: Record<NoticeKind, (context: NoticeContext, deps: NotifyDeps) => Promise<Outcome>> = {
  team: mailTeam,
  bell: pushAgain,
  answer: mailVisitor,
  mention: mailMentioned,
};

/** Without mail, the only notices are bells, which ring devices by push. */
const kindsOf = ({ enabled }: NotifyDeps['mail']): NoticeKind[] =>
  enabled ? ['team', 'bell', 'answer', 'mention'] : ['bell'];

/** The queue of due notices: it queues their mails and rings devices. */
export function createNoticeQueue(deps: NotifyDeps, everyMs?: number): WorkQueue {
  const { mail, now } = deps;
  return createQueue<NoticeDoc>({
    name: 'notices',
    model: NoticeModel,
    partitionBy: 'site',
    filter: { kind: { $in: kindsOf(mail) } },
    leaseMs: LEASE_MS,
    backoffMs: BACKOFF_MS,
    // One mail stands for several notices of a site, which would otherwise be written at the same time.
    concurrency: 1,
    attemptsMax: ATTEMPTS_MAX,
    // Whether an answer or a mention is out of date, the message itself says: their notices are scheduled again and again.
    notAfter: ({ kind, since }) =>
      kind === 'team' || kind === 'bell' ? since.getTime() + MAX_AGE_MS : Number.POSITIVE_INFINITY,
    run: async (notice) => endOf(notice, await write(notice, deps), now()),
    deadLetter({ _id }, why) {
      if (why !== 'old') events.fail(new Error(`The notice ${_id} is given up: ${why}`), 'notices');
      return { end: 'done', set: { doneAt: new Date(now()) } };
    },
    everyMs,
    now,
  });
}

async function write(notice: NoticeDoc, deps: NotifyDeps): Promise<Outcome> {
  const chat = await ChatModel.findById(notice.chat).lean<ChatDoc>();
  const site = chat && (await SiteModel.findOne({ _id: notice.site, deletedAt: null }).lean<SiteDoc>());
  if (!chat || !site || chat.blocked) return 'needless';
  return WRITERS[notice.kind]({ notice, chat, site }, deps);
}

/**
 * How a notice ends: only if no newer answer came meanwhile, which is handled in the next turn. The newest mailed answer
 * is stored in any case, or the next turn would mail it again.
 */
async function endOf(notice: NoticeDoc, outcome: Outcome, now: number): Promise<WorkOutcome<NoticeDoc>> {
  const { _id, key, wantedSeq } = notice;
  const onlyIf = { key, wantedSeq: wantedSeq ?? null };
  if (outcome === 'needless') return { end: 'deleted', onlyIf };
  if ('again' in outcome) return { end: 'later', at: outcome.again.getTime(), set: { ...outcome.change }, onlyIf };
  if (outcome.done.mailedSeq !== undefined)
    await NoticeModel.updateOne({ _id, key }, { $max: { mailedSeq: outcome.done.mailedSeq } });
  return { end: 'done', set: { doneAt: new Date(now) }, onlyIf };
}

/**
 * Starts notifying people of what they would miss: the team of an unattended chat (push and mail), a visitor who left of an
 * answer, a member of a mention, an invited person of the link. Without mail, only devices ring.
 * @param everyMs the interval of looks for due notices, while any is scheduled; by default a second
 * @returns a disposer
 */
export function startNotices(deps: NotifyDeps, everyMs: number | undefined): () => Promise<void> {
  const notices = createNoticeQueue(deps, everyMs);
  const stopListening = events.stopAll([
    notifyOfMessages(deps),
    notifyOfHandOvers(deps),
    notifyOfMentions(deps),
    ...(deps.mail.enabled ? [scheduleNotices(deps), rememberRefusals(deps)] : []),
    events.on('noticeScheduled', () => notices.wake()),
  ]);
  notices.start();
  return async () => {
    stopListening();
    await notices.stop();
  };
}
