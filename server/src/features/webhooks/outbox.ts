import { createHash } from 'node:crypto';
import type { Types } from 'mongoose';
import { type ArticleTextDoc, ArticleTextModel } from '#features/articles';
import { type ChatDoc, ChatModel } from '#features/chats';
import { kindOf, liveSite, type SiteDoc, type WebhookDoc } from '#features/sites';
import { type VisitorDoc, VisitorModel } from '#features/visitors';
import { recentlyUsed } from '#platform/cache';
import { events } from '#platform/events';
import { withRetries } from '#platform/time';
import { enqueue, IS_WAITING, markedProjection, marksIn, type Projection } from '#platform/work';
import { eventsOfMessage, FIRST_SEQ, newMessages, storedEvents } from './chatEvents.ts';
import { WEBHOOKS_MAX } from './contract.ts';
import { type DeliveryDoc, DeliveryModel, droppedId, type Entry } from './model.ts';

declare module '#platform/events' {
  interface Events {
    /** Deliveries to these webhooks were added to the outbox. */
    webhooksAwaited: { webhooks: string[] };
  }
}

/** Deliveries that may wait for a site's webhooks, an equal part for each; what comes beyond is dropped, and the log says so. */
const QUEUE_MAX = 10_000;
const COUNT_EVERY_MS = 5_000;
export interface OutboxDeps {
  now: () => number;
}

/**
 * Fills the outbox of webhooks. The write that causes an event marks its chat or visitor, and the mark is removed when the
 * outbox has the event: what a crash leaves is found by the reconciler (decision 008).
 * @returns a disposer
 */
export function fillOutboxes(deps: OutboxDeps): () => void {
  const failed = (error: unknown) => events.fail(error, 'outbox of webhooks');
  const soon = (key: string, fill: () => Promise<void>) =>
    enqueue(`${key}:webhooks`, () => withRetries(fill, { failed })).catch(failed);
  return events.stopAll([
    events.on('chatChanged', ({ chat: { _id, untold } }) => {
      if (untold) void soon(_id.toHexString(), () => fillForChat(deps, _id));
    }),
    events.on('visitorIdentified', ({ visitor: { _id } }) => {
      void soon(_id.toHexString(), () => fillForVisitor(deps, _id));
    }),
    events.on('articlePublished', ({ text: { _id, untold } }) => {
      if (untold) void soon(_id.toHexString(), () => fillForText(deps, _id));
    }),
  ]);
}

/** The projection that finds marks of chats and visitors whose events are not in the outbox. */
export const outboxes = (deps: OutboxDeps): Projection =>
  markedProjection(
    'webhooks',
    marksIn({
      model: ChatModel,
      mark: 'untold',
      finish: ({ _id }) => enqueue(`${_id.toHexString()}:webhooks`, () => fillForChat(deps, _id)),
    }),
    marksIn({ model: VisitorModel, mark: 'untold', finish: ({ _id }) => fillForVisitor(deps, _id) }),
    marksIn({ model: ArticleTextModel, mark: 'untold', finish: ({ _id }) => fillForText(deps, _id) }),
  );

/** Idempotent; for one chat at a time, so that its deliveries come into the outbox in their order. */
async function fillForChat(deps: OutboxDeps, _id: Types.ObjectId): Promise<void> {
  const chat = await ChatModel.findById(_id).lean<ChatDoc>();
  if (!chat?.untold) return;
  const site = await liveSite(chat.site.toHexString());
  const hooks = chat.bot || !site ? [] : enabledOf(site);
  const { untold, visitor, toldSeq = 0, happened = [], happenedBefore = 0 } = chat;
  const messages = await newMessages(chat, hooks);
  const entries = [
    ...messages.flatMap((message) => eventsOfMessage(message, visitor)),
    ...storedEvents(chat, messages),
  ];
  const dropped = await add(deps, chat.site, hooks, entries);
  const { matchedCount } = await ChatModel.updateOne(
    { _id, untold },
    {
      $set: {
        toldSeq: Math.max(toldSeq, messages.at(-1)?.seq ?? chat.lastSeq),
        ...(happened.length > 0 && { happenedBefore: happenedBefore + happened.length }),
      },
      $unset: { untold: 1, ...(happened.length > 0 && { happened: 1 }) },
    },
  );
  if (matchedCount > 0) await forgetDropped(dropped);
}

async function fillForVisitor(deps: OutboxDeps, _id: Types.ObjectId): Promise<void> {
  const visitor = await VisitorModel.findById(_id).lean<VisitorDoc>();
  if (!visitor?.untold) return;
  const { untold } = visitor;
  const site = visitor.erasedAt ? null : await liveSite(visitor.site.toHexString());
  const lane = _id.toHexString();
  const at = untold.getTimestamp();
  const key = untold.toHexString();
  const entries: Entry[] = [{ event: 'visitor.identified', key, lane, order: at.getTime(), at, visitor: _id }];
  const dropped = await add(deps, visitor.site, site ? enabledOf(site) : [], entries);
  const { matchedCount } = await VisitorModel.updateOne({ _id, untold }, { $unset: { untold: 1 } });
  if (matchedCount > 0) await forgetDropped(dropped);
}

/** The text of an article that was published. */
async function fillForText(deps: OutboxDeps, _id: Types.ObjectId): Promise<void> {
  const text = await ArticleTextModel.findById(_id).lean<ArticleTextDoc>();
  if (!text?.untold) return;
  const { untold, published } = text;
  const site = await liveSite(text.site.toHexString());
  const lane = _id.toHexString();
  const at = published?.at ?? untold.getTimestamp();
  const what = { lane, order: at.getTime(), at, text: _id, ...(published && { by: published.by }) };
  const entries: Entry[] = [{ event: 'article.published', key: untold.toHexString(), ...what }];
  const dropped = await add(deps, text.site, site ? enabledOf(site) : [], entries);
  const { matchedCount } = await ArticleTextModel.updateOne({ _id, untold }, { $unset: { untold: 1 } });
  if (matchedCount > 0) await forgetDropped(dropped);
}

/**
 * Tells a webhook that a rule which names it has applied to a chat. Idempotent by `key`.
 * @returns false: too many events wait for it
 */
export async function tellOfRule(
  { site, webhook, key }: { site: Types.ObjectId; webhook: Types.ObjectId; key: string },
  what: Pick<DeliveryDoc, 'chat' | 'visitor' | 'message' | 'rule' | 'at' | 'order' | 'lane'>,
  at: Date,
): Promise<boolean> {
  if ((await queueOf(webhook, QUEUE_MAX / WEBHOOKS_MAX)).isFull) return false;
  const event = 'rule.applied' as const;
  const delivery = { ...what, event, webhook, site, createdAt: at, attempts: 0, status: 'waiting' as const, dueAt: at };
  await DeliveryModel.updateOne({ _id: idOf(webhook, event, key) }, { $setOnInsert: delivery }, { upsert: true });
  await events.emit('webhooksAwaited', { webhooks: [webhook.toHexString()] });
  return true;
}

const enabledOf = ({ webhooks = [] }: SiteDoc) => webhooks.filter(({ enabled }) => enabled);

/** An entry for one webhook, with the id of its delivery. */
type Pending = Omit<Entry, 'key'> & Pick<DeliveryDoc, '_id'>;

/** Events that a webhook does not get, because too many wait. */
interface Dropped {
  webhook: Types.ObjectId;
  ids: string[];
}

/** @returns what was dropped, now or before a crash, for `forgetDropped` after the mark is removed */
async function add(
  { now }: OutboxDeps,
  site: Types.ObjectId,
  hooks: WebhookDoc[],
  entries: Entry[],
): Promise<Dropped[]> {
  const at = new Date(now());
  const deliveries: DeliveryDoc[] = [];
  const dropped: Dropped[] = [];
  for (const hook of hooks) {
    const { _id: webhook, events: wanted, since } = hook;
    // The mark of a visitor names the second only.
    const isNew = ({ event, at }: Entry) => event === 'visitor.identified' || at >= since;
    const pending = entries
      .filter((each) => wanted.some((event) => event === each.event) && isNew(each) && !isRepetition(hook, each))
      .map(({ key, ...each }): Pending => ({ ...each, _id: idOf(webhook, each.event, key) }));
    if (pending.length === 0) continue;
    const { isFull, unsettled } = await queueOf(webhook, QUEUE_MAX / hooks.length);
    const out = pending.filter(({ _id }) => isFull || unsettled.has(_id));
    if (out.length > 0) dropped.push({ webhook, ids: out.map(({ _id }) => _id) });
    if (isFull) await countDropped(site, webhook, pending, at);
    else
      for (const each of pending)
        if (!out.includes(each))
          deliveries.push({ ...each, webhook, site, createdAt: at, attempts: 0, status: 'waiting', dueAt: at });
  }
  if (deliveries.length === 0) return dropped;
  const writes = deliveries
    .toSorted((a, b) => a.order - b.order)
    .map(({ _id, ...delivery }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: delivery }, upsert: true },
    }));
  await DeliveryModel.bulkWrite(writes, { ordered: true });
  const webhooks = [...new Set(deliveries.map(({ webhook }) => webhook.toHexString()))];
  await events.emit('webhooksAwaited', { webhooks });
  return dropped;
}

/**
 * Counts dropped events in one entry of the log. The entry keeps the ids of events whose marks still stand, so that each
 * counts once, however often the outbox is filled.
 */
async function countDropped(
  site: Types.ObjectId,
  webhook: Types.ObjectId,
  pending: Pending[],
  at: Date,
): Promise<void> {
  const _id = droppedId(webhook);
  const fields = { webhook, site, event: pending[0]?.event, at, createdAt: at, lane: 'dropped', order: 0, attempts: 0 };
  const entry = {
    updateOne: { filter: { _id }, update: { $setOnInsert: { ...fields, status: 'dropped' as const } }, upsert: true },
  };
  const counts = pending.map((each) => ({
    updateOne: {
      filter: { _id, unsettled: { $ne: each._id } },
      update: {
        $inc: { count: 1 },
        $push: { unsettled: each._id },
        $set: { event: each.event, at: each.at, createdAt: at, doneAt: at },
      },
    },
  }));
  await DeliveryModel.bulkWrite([entry, ...counts], { ordered: true });
  const cached = queues.get(webhook.toHexString());
  for (const each of pending) cached?.unsettled.add(each._id);
}

/** Removes these ids from the log's entry: their marks are gone, so they are not counted again. */
async function forgetDropped(dropped: Dropped[]): Promise<void> {
  for (const { webhook, ids } of dropped) {
    await DeliveryModel.updateOne({ _id: droppedId(webhook) }, { $pull: { unsettled: { $in: ids } } });
    const cached = queues.get(webhook.toHexString());
    for (const id of ids) cached?.unsettled.delete(id);
  }
}

/** For people, `chat.opened` shows the first message already, and `message.created` the answers of the assistant. */
function isRepetition(hook: WebhookDoc, { event, order }: Entry): boolean {
  if (kindOf(hook) === 'custom') return false;
  if (event === 'assistant.answered') return hook.events.includes('message.created');
  return event === 'message.created' && order === FIRST_SEQ && hook.events.includes('chat.opened');
}

const ID_LENGTH = 32;

/** Derived from the event (idempotent): filling the outbox again makes the same id. */
function idOf(webhook: Types.ObjectId, event: string, key: string): string {
  const hash = createHash('sha256').update(`${webhook}:${event}:${key}`).digest('hex');
  return `msg_${hash.slice(0, ID_LENGTH)}`;
}

interface Queue {
  isFull: boolean;
  /** The dropped events whose marks may still stand. */
  unsettled: Set<string>;
}

const QUEUES_MAX = 10_000;
const queues = recentlyUsed<Queue>(QUEUES_MAX, COUNT_EVERY_MS);

async function queueOf(webhook: Types.ObjectId, max: number): Promise<Queue> {
  const cached = queues.get(webhook.toHexString());
  if (cached) return cached;
  const [count, entry] = await Promise.all([
    DeliveryModel.countDocuments({ webhook, ...IS_WAITING }, { limit: max }),
    DeliveryModel.findById(droppedId(webhook), { unsettled: 1 }).lean<DeliveryDoc>(),
  ]);
  const queue = { isFull: count >= max, unsettled: new Set(entry?.unsettled) };
  queues.set(webhook.toHexString(), queue);
  return queue;
}
