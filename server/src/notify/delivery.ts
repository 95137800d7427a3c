import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { events } from '../events.ts';
import { type Job, startJobs } from '../jobs.ts';
import { type SiteDoc, SiteModel } from '../sites/model.ts';
import { notifyOfHandOvers } from './handOvers.ts';
import { mailMentioned } from './mentionMail.ts';
import { notifyOfMentions } from './mentionNotices.ts';
import { notifyOfMessages } from './messages.ts';
import {
  type NoticeContext,
  type NoticeDoc,
  type NoticeKind,
  NoticeModel,
  type NotifyDeps,
  type Outcome,
} from './model.ts';
import { ringAgain } from './push.ts';
import { scheduleNotices } from './schedule.ts';
import { mailTeam } from './teamMail.ts';
import { mailVisitor } from './visitorMail.ts';

/** The lease of a notice, longer than writing its mails takes: after it, the process that took the notice must have died. */
const LEASE_MS = 60_000;

const WRITERS: Record<NoticeKind, (matter: NoticeContext, deps: NotifyDeps) => Promise<Outcome>> = {
  team: mailTeam,
  bell: ringAgain,
  answer: mailVisitor,
  mention: mailMentioned,
};

/** Without mail, the only notices are bells, which ring devices by push. */
const kindsOf = ({ enabled }: NotifyDeps['mail']): NoticeKind[] =>
  enabled ? ['team', 'bell', 'answer', 'mention'] : ['bell'];

/** Whether any notice is scheduled. */
async function noticeIsAwaited(mail: NotifyDeps['mail']): Promise<boolean> {
  return (await NoticeModel.exists({ dueAt: { $exists: true }, kind: { $in: kindsOf(mail) } })) !== null;
}

/** The job that processes due notices: it queues their mails and rings devices. */
export function deliverNotices(deps: NotifyDeps): Job {
  const kinds = kindsOf(deps.mail);
  return async (now, signal) => {
    while (!signal.aborted) {
      const notice = await take(kinds, now);
      if (!notice) return;
      await settle(notice, await write(notice, deps), now);
    }
  };
}

async function write(notice: NoticeDoc, deps: NotifyDeps): Promise<Outcome> {
  const chat = await ChatModel.findById(notice.chat).lean<ChatDoc>();
  const site = chat && (await SiteModel.findOne({ _id: notice.site, deletedAt: null }).lean<SiteDoc>());
  if (!chat || !site || chat.blocked) return 'needless';
  return WRITERS[notice.kind]({ notice, chat, site }, deps);
}

function take(kinds: NoticeKind[], now: number): Promise<NoticeDoc | null> {
  return NoticeModel.findOneAndUpdate(
    { dueAt: { $lte: new Date(now) }, kind: { $in: kinds } },
    { $set: { dueAt: new Date(now + LEASE_MS) } },
    { sort: { dueAt: 1 }, returnDocument: 'after' },
  )
    .lean<NoticeDoc>()
    .exec();
}

/**
 * Stores the outcome of a notice. The notice is closed only if no newer answer came meanwhile; otherwise the next round
 * handles it. The newest mailed answer is stored in any case, or the next round would mail it again.
 */
async function settle({ _id, key, wantedSeq }: NoticeDoc, outcome: Outcome, now: number): Promise<void> {
  const seen = { _id, key, wantedSeq: wantedSeq ?? null };
  if (typeof outcome === 'object' && 'done' in outcome && outcome.done.mailedSeq !== undefined)
    await NoticeModel.updateOne({ _id, key }, { $max: { mailedSeq: outcome.done.mailedSeq } });
  if (outcome === 'needless') await NoticeModel.deleteOne(seen);
  else if ('done' in outcome)
    await NoticeModel.updateOne(seen, { $set: { doneAt: new Date(now) }, $unset: { dueAt: 1 } });
  else await NoticeModel.updateOne(seen, { $set: { ...outcome.change, dueAt: outcome.again } });
}

const LOOK_EVERY_MS = 1_000;

/**
 * Starts notifying people of what they would miss: the team of an unattended chat (push and mail), a visitor who left of an
 * answer, a member of a mention, an invited person of the link. Without mail, only devices ring.
 * @param everyMs the interval of the check for due notices, while any is scheduled
 * @returns a disposer
 */
export function startNotices(deps: NotifyDeps, everyMs = LOOK_EVERY_MS): () => Promise<void> {
  const { mail, now } = deps;
  const stopListening = events.stopAll([
    notifyOfMessages(deps),
    notifyOfHandOvers(deps),
    notifyOfMentions(deps),
    ...(mail.enabled ? [scheduleNotices(deps)] : []),
  ]);
  const jobs = startJobs([deliverNotices(deps), ...(mail.enabled ? [async () => mail.deliverDue()] : [])], {
    everyMs,
    now,
    failed: (error) => events.fail(error, 'notices'),
    isAwaited: async () => (await noticeIsAwaited(mail)) || mail.isAwaited(),
  });
  const stopWaking = events.on('deliveryAwaited', jobs.wake);
  return async () => {
    stopListening();
    stopWaking();
    await Promise.all([jobs.stop(), mail.stop()]);
  };
}
