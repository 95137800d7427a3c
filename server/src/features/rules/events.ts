import { Types } from 'mongoose';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '#features/chats';
import { liveSite, type RuleDoc, rulesOf, type SiteDoc } from '#features/sites';
import { type VisitorDoc, VisitorModel } from '#features/visitors';
import { recentlyUsed } from '#platform/cache';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS, withRetries } from '#platform/time';
import { enqueue, IS_WAITING, markedProjection, marksIn, type Projection } from '#platform/work';
import { conditionsHold, type Facts, folded } from './conditions.ts';
import { RULES_MAX } from './contract.ts';
import { type RuleRunDoc, RuleRunModel } from './model.ts';

declare module '#platform/events' {
  interface Events {
    /** Work of rules was added for this site. */
    rulesAwaited: { siteId: string };
  }
}

/** New messages of a chat that are looked at: the newest ones. */
const MESSAGES_MAX = 100;
/** Work that may wait for the rules of a site; what comes beyond is left out. */
const QUEUE_MAX = 10_000;
const SITES_MAX = 10_000;
const COUNTED_FOR_MS = 5 * SECOND_MS;
const counted = recentlyUsed<{ isFull: boolean }>(SITES_MAX, COUNTED_FOR_MS);

/** Something that rules wait for. */
interface Happening extends Pick<RuleRunDoc, 'event' | 'at'> {
  /** Tells it from all others of its event. */
  key: string;
  message?: MessageDoc;
  score?: number | null;
  /** Its place in the chat. */
  order: number;
}

/** The place of something without a message, which is behind the newest one. */
const placeOf = (seq: number, isBehind = false) => (2 * seq + (isBehind ? 1 : 0)) * RULES_MAX;

/**
 * Puts into the queue what follows from messages, closes and ratings. The write that causes one marks its chat, and the mark is
 * removed when the queue has the work: what a crash leaves is found by the reconciler (decision 008).
 * @returns a disposer
 */
export function fillRuleQueue(now: () => number): () => void {
  const failed = (error: unknown) => events.fail(error, 'rules');
  return events.on('chatChanged', ({ chat: { _id, unruled } }) => {
    if (unruled) enqueueFill(_id, () => withRetries(() => fillForChat(_id, now), { failed })).catch(failed);
  });
}

/** The projection that finds the marks of chats whose work is not in the queue. */
export const lostHappenings = (now: () => number): Projection =>
  markedProjection(
    'rules',
    marksIn({
      model: ChatModel,
      mark: 'unruled',
      finish: ({ _id }) => enqueueFill(_id, () => fillForChat(_id, now)),
    }),
  );

const enqueueFill = (chat: Types.ObjectId, fill: () => Promise<void>) => enqueue(`${chat.toHexString()}:rules`, fill);

/** Idempotent: the keys of the work are made from what happened. */
async function fillForChat(_id: Types.ObjectId, now: () => number): Promise<void> {
  const chat = await ChatModel.findById(_id).lean<ChatDoc>();
  if (!chat?.unruled) return;
  const { unruled, ruledSeq = 0, ratedAt, lastSeq } = chat;
  const site = await liveSite(chat.site.toHexString());
  const rules = chat.bot || chat.blocked || !site ? [] : rulesOf(site).filter(({ enabled }) => enabled);
  const messages = rules.length > 0 ? await newMessages(chat) : [];
  if (site && rules.length > 0) await addAll({ site, chat }, rules, happenings(chat, messages), now());
  const reached = Math.max(ruledSeq, lastSeq, messages.at(-1)?.seq ?? 0);
  await ChatModel.updateOne(
    { _id, unruled },
    { $set: { ruledSeq: reached, ...(ratedAt && { ruledRating: ratedAt }) }, $unset: { unruled: 1 } },
  );
}

async function newMessages({ _id: chat, ruledSeq = 0 }: ChatDoc): Promise<MessageDoc[]> {
  const newest = await MessageModel.find({ chat, seq: { $gt: ruledSeq } })
    .sort({ seq: -1 })
    .limit(MESSAGES_MAX)
    .lean<MessageDoc[]>();
  return newest.reverse();
}

/** What rules may wait for, of messages that visitors write themselves, of closes, and of a rating. */
function happenings(chat: ChatDoc, messages: MessageDoc[]): Happening[] {
  const { rating, ratedAt, ruledRating, lastSeq } = chat;
  const isRated = rating && ratedAt && ratedAt.getTime() !== ruledRating?.getTime();
  return [
    ...messages.flatMap((message) => ofMessage(chat, message)),
    ...(isRated
      ? [
          {
            event: 'rated' as const,
            key: String(ratedAt.getTime()),
            at: ratedAt,
            score: rating.score,
            order: placeOf(lastSeq, true),
          },
        ]
      : []),
  ];
}

function ofMessage({ open, waitingSince }: ChatDoc, message: MessageDoc): Happening[] {
  const { _id, seq, sender, event, createdAt: at } = message;
  const what = { key: _id.toHexString(), at, order: placeOf(seq) };
  // A chat that only has its closing message was never shown.
  if (event === 'closed') return seq > 1 ? [{ ...what, event }] : [];
  if (sender !== 'visitor') return [];
  const isFirstOfWait = open && waitingSince?.getTime() === at.getTime();
  return [
    ...(seq === 1 ? [{ ...what, event: 'opened' as const, message }] : []),
    { ...what, event: 'message', message },
    ...(isFirstOfWait ? [{ ...what, event: 'unanswered' as const, message }] : []),
  ];
}

interface Of {
  site: SiteDoc;
  chat: ChatDoc;
}

async function addAll(of: Of, rules: RuleDoc[], all: Happening[], now: number): Promise<void> {
  if (!all.some(({ event }) => rules.some((rule) => rule.event === event))) return;
  const visitor = await visitorOf(of.chat);
  const runs = all.flatMap((happening) => {
    const facts = factsOf(of, happening, visitor);
    return rules.flatMap((rule, position) => {
      if (rule.event !== happening.event || happening.at < rule.since) return [];
      if (rule.event === 'unanswered') return [waitOf(of, rule, happening)];
      return conditionsHold(rule, facts)
        ? [runOf(of, rule, { ...happening, order: happening.order + position }, now)]
        : [];
    });
  });
  await addRuns(of.site._id, runs);
}

/** What is known of a chat's visitor now; null: erased. */
function visitorOf({ visitor }: ChatDoc): Promise<VisitorDoc | null> {
  return VisitorModel.findOne({ _id: visitor, erasedAt: null }, { page: 1, speaks: 1, attributes: 1 })
    .lean<VisitorDoc>()
    .exec();
}

function factsOf({ site, chat }: Of, { at, message, score = null }: Happening, visitor: VisitorDoc | null): Facts {
  return { site, chat, visitor, at: at.getTime(), words: message ? folded(message.content) : null, score };
}

/** The work of a rule for something that has happened, as it has to be added. */
type NewRun = Omit<RuleRunDoc, '_id'>;

function runOf({ site, chat }: Of, { _id, name, actions }: RuleDoc, what: Happening, now: number): NewRun {
  const { event, key, at, message, order } = what;
  return {
    key: `${_id}:${event}:${key}`,
    site: site._id,
    rule: { _id: _id.toHexString(), name },
    event,
    chat: chat._id,
    visitor: chat.visitor,
    ...(message && { message: message._id }),
    lane: chat._id.toHexString(),
    order,
    at,
    actions: actions.map((action) => ({ action })),
    attempts: 0,
    dueAt: new Date(now),
  };
}

/** Work that waits for its time, in a lane of its own: whether the conditions hold is looked at then. */
function waitOf(of: Of, rule: RuleDoc, what: Happening): NewRun {
  const run = runOf(of, rule, what, what.at.getTime() + (rule.minutes ?? 0) * MINUTE_MS);
  return { ...run, key: `${rule._id}:wait:${what.key}`, lane: `wait:${rule._id}:${what.key}`, waitingSince: what.at };
}

/** The work of a rule whose time has come; null: its conditions do not hold. @param wait what waited for it */
export async function dueRun(of: Of, rule: RuleDoc, wait: RuleRunDoc, now: number): Promise<NewRun | null> {
  const message = wait.message && (await MessageModel.findById(wait.message).lean<MessageDoc>());
  if (!message) return null;
  const order = placeOf(of.chat.lastSeq, true) + rulesOf(of.site).indexOf(rule);
  const happening = { event: 'unanswered' as const, key: String(message._id), at: new Date(now), message, order };
  if (!conditionsHold(rule, factsOf(of, happening, await visitorOf(of.chat)))) return null;
  return runOf(of, rule, happening, now);
}

/** Adds work to the queue, each once. */
export async function addRuns(site: Types.ObjectId, runs: NewRun[]): Promise<void> {
  if (runs.length === 0 || (await isFull(site))) return;
  const writes = runs.map(({ key, ...run }) => ({
    updateOne: { filter: { key }, update: { $setOnInsert: { _id: new Types.ObjectId(), ...run } }, upsert: true },
  }));
  await RuleRunModel.bulkWrite(writes, { ordered: true });
  await events.emit('rulesAwaited', { siteId: site.toHexString() });
}

async function isFull(site: Types.ObjectId): Promise<boolean> {
  const known = counted.get(site.toHexString());
  if (known) return known.isFull;
  const count = await RuleRunModel.countDocuments({ site, ...IS_WAITING }, { limit: QUEUE_MAX });
  counted.set(site.toHexString(), { isFull: count >= QUEUE_MAX });
  if (count < QUEUE_MAX) return false;
  events.fail(new Error(`${QUEUE_MAX} wait for the rules of site ${site}: what comes now is left out`), 'rules');
  return true;
}
