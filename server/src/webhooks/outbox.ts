import { createHash } from 'node:crypto';
import type { Types } from 'mongoose';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { events } from '../events.ts';
import { withRetries } from '../retry.ts';
import { perServer } from '../scope.ts';
import { liveSite } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { kindOf, type WebhookDoc } from '../sites/webhooks.ts';
import { type VisitorDoc, VisitorModel } from '../visitors/model.ts';
import { enqueue } from '../work/keyedQueue.ts';
import { IS_WAITING } from '../work/leases.ts';
import { markedProjection, marksIn } from '../work/marked.ts';
import type { Projection } from '../work/reconciler.ts';
import { type DeliveryDoc, DeliveryModel, droppedId } from './model.ts';

declare module '../events.ts' {
  interface Events {
    /** Deliveries to these webhooks were added to the outbox. */
    webhooksAwaited: { webhooks: string[] };
  }
}

/** Deliveries that may wait for a site's webhooks, an equal part for each; what comes beyond is dropped, and the log says so. */
const QUEUE_MAX = 10_000;
/** How often, in milliseconds, the waiting deliveries of a webhook are counted. */
const COUNT_EVERY_MS = 5_000;
/** Messages that are read at a time. */
const PAGE = 200;

/** What happened, before it is known which webhooks are told. */
type Told = Pick<DeliveryDoc, 'lane' | 'order' | 'at' | 'chat' | 'visitor' | 'message' | 'by' | 'from' | 'how'> & {
  /** Makes the ids. */
  key: string;
  event: WebhookDoc['events'][number];
};

/** What filling the outbox needs. */
export interface OutboxDeps {
  /** Milliseconds */
  now: () => number;
}

/**
 * Puts what webhooks are to be told into the outbox. The write that makes something happen marks its chat or visitor, and
 * the mark is removed when the outbox has it: what a crash leaves is found by the reconciler (decision 008).
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
  ]);
}

/** What webhooks are to be told of chats and visitors. */
export const outboxes = (deps: OutboxDeps): Projection =>
  markedProjection(
    'webhooks',
    marksIn({
      model: ChatModel,
      mark: 'untold',
      finish: ({ _id }) => enqueue(`${_id.toHexString()}:webhooks`, () => fillForChat(deps, _id)),
    }),
    marksIn({ model: VisitorModel, mark: 'untold', finish: ({ _id }) => fillForVisitor(deps, _id) }),
  );

/** Idempotent; for one chat at a time, so that its deliveries come into the outbox in their order. */
async function fillForChat(deps: OutboxDeps, _id: Types.ObjectId): Promise<void> {
  const chat = await ChatModel.findById(_id).lean<ChatDoc>();
  if (!chat?.untold) return;
  const site = await liveSite(chat.site.toHexString());
  const hooks = chat.bot || !site ? [] : enabledOf(site);
  const { untold, visitor, toldSeq = 0, happened = [], happenedBefore = 0 } = chat;
  const messages = await newMessages(chat, hooks);
  const told = [...messages.flatMap((message) => ofMessage(message, visitor)), ...ofHappenings(chat, messages)];
  await add(deps, chat.site, hooks, told);
  await ChatModel.updateOne(
    { _id, untold },
    {
      $set: {
        toldSeq: Math.max(toldSeq, messages.at(-1)?.seq ?? chat.lastSeq),
        ...(happened.length > 0 && { happenedBefore: happenedBefore + happened.length }),
      },
      $unset: { untold: 1, ...(happened.length > 0 && { happened: 1 }) },
    },
  );
}

async function fillForVisitor(deps: OutboxDeps, _id: Types.ObjectId): Promise<void> {
  const visitor = await VisitorModel.findById(_id).lean<VisitorDoc>();
  if (!visitor?.untold) return;
  const { untold } = visitor;
  const site = visitor.erasedAt ? null : await liveSite(visitor.site.toHexString());
  const lane = _id.toHexString();
  const at = untold.getTimestamp();
  const what = { event: 'visitor.identified' as const, lane, order: at.getTime(), at, visitor: _id };
  await add(deps, visitor.site, site ? enabledOf(site) : [], [{ ...what, key: untold.toHexString() }]);
  await VisitorModel.updateOne({ _id, untold }, { $unset: { untold: 1 } });
}

const enabledOf = ({ webhooks = [] }: SiteDoc) => webhooks.filter(({ enabled }) => enabled);

/** The messages that are not in the outbox yet, those included that are not in the chat's row. */
async function newMessages({ _id: chat, toldSeq = 0 }: ChatDoc, hooks: WebhookDoc[]): Promise<MessageDoc[]> {
  const since = Math.min(...hooks.map((hook) => hook.since.getTime()));
  const messages: MessageDoc[] = [];
  // Newest first: of a long chat from before the webhook, only what came since is read.
  for (let before = Number.MAX_SAFE_INTEGER; hooks.length > 0; ) {
    const page = await MessageModel.find({ chat, seq: { $gt: toldSeq, $lt: before } })
      .sort({ seq: -1 })
      .limit(PAGE)
      .lean<MessageDoc[]>();
    messages.unshift(...page.toReversed());
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.createdAt.getTime() < since) break;
    before = oldest.seq;
  }
  return messages;
}

function ofMessage(
  { _id, chat, seq, sender, event, author, createdAt: at }: MessageDoc,
  visitor: Types.ObjectId,
): Told[] {
  const lane = chat.toHexString();
  const what = { lane, at, chat, visitor, message: _id, ...(author && { by: author }) };
  const named = (name: Told['event'], order: number): Told => ({ ...what, event: name, order, key: `${lane}:${seq}` });
  // A chat that only has its closing message was never shown.
  if (event === 'closed') return seq === FIRST_SEQ ? [] : [named('chat.closed', seq)];
  if (event === 'reopened') return [named('chat.reopened', seq)];
  if (sender === 'system') return [];
  return [...(seq === FIRST_SEQ ? [named('chat.opened', 0)] : []), named('message.created', seq)];
}

/** The number of a chat's first message. */
const FIRST_SEQ = 1;

/**
 * What happened without a message comes after the newest message of its time, and in the order in which it was written to
 * the chat, whichever node wrote it: the n-th of a chat is at n / (n + 1) of the way to the next message.
 */
function ofHappenings(chat: ChatDoc, messages: MessageDoc[]): Told[] {
  const { _id, visitor, toldSeq = 0, happened = [], happenedBefore = 0 } = chat;
  const lane = _id.toHexString();
  let last = toldSeq;
  return happened.map(({ _id: id, event, at, seq, edit, message, by, from, how }, i) => {
    // The chat's row, from which the number was taken, may have lagged behind.
    last = Math.max(last, seq, messages.findLast(({ createdAt }) => createdAt <= at)?.seq ?? 0);
    const nth = happenedBefore + i + 1;
    return {
      key: message ? `${message}:${edit}` : id.toHexString(),
      event,
      lane,
      order: last + nth / (nth + 1),
      at,
      chat: _id,
      visitor,
      ...(message && { message }),
      ...(by && { by }),
      ...(from && { from }),
      ...(how && { how }),
    };
  });
}

async function add({ now }: OutboxDeps, site: Types.ObjectId, hooks: WebhookDoc[], told: Told[]): Promise<void> {
  const at = new Date(now());
  const deliveries: DeliveryDoc[] = [];
  for (const hook of hooks) {
    const { _id: webhook, events: wanted, since } = hook;
    // The mark of a visitor names the second only.
    const isNew = ({ event, at }: Told) => event === 'visitor.identified' || at >= since;
    const own = told.filter((each) => wanted.includes(each.event) && isNew(each) && !isRepetition(hook, each));
    if (own.length === 0) continue;
    if (await isFull(webhook, QUEUE_MAX / hooks.length)) await countDropped(site, webhook, own, at);
    else
      for (const { key, ...what } of own)
        deliveries.push({
          _id: idOf(webhook, what.event, key),
          webhook,
          site,
          ...what,
          createdAt: at,
          attempts: 0,
          status: 'waiting',
          dueAt: at,
        });
  }
  if (deliveries.length === 0) return;
  const writes = deliveries
    .toSorted((a, b) => a.order - b.order)
    .map(({ _id, ...delivery }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: delivery }, upsert: true },
    }));
  await DeliveryModel.bulkWrite(writes, { ordered: true });
  const webhooks = [...new Set(deliveries.map(({ webhook }) => webhook.toHexString()))];
  await events.emit('webhooksAwaited', { webhooks });
}

/** Of everything that is dropped, the log has one entry with its number. */
async function countDropped(site: Types.ObjectId, webhook: Types.ObjectId, own: Told[], at: Date): Promise<void> {
  const last = own.at(-1);
  if (!last) return;
  await DeliveryModel.updateOne(
    { _id: droppedId(webhook) },
    {
      $inc: { count: own.length },
      $set: { event: last.event, at: last.at, createdAt: at, doneAt: at },
      $setOnInsert: { webhook, site, lane: 'dropped', order: 0, attempts: 0, status: 'dropped' },
    },
    { upsert: true },
  );
}

/** People who read that a chat was opened have read its first message already. */
function isRepetition(hook: WebhookDoc, { event, order }: Told): boolean {
  if (kindOf(hook) === 'custom') return false;
  return event === 'message.created' && order === FIRST_SEQ && hook.events.includes('chat.opened');
}

const ID_LENGTH = 32;

/** The same event has the same id, however often it is put into the outbox. */
function idOf(webhook: Types.ObjectId, event: string, key: string): string {
  const hash = createHash('sha256').update(`${webhook}:${event}:${key}`).digest('hex');
  return `msg_${hash.slice(0, ID_LENGTH)}`;
}

/** When it was last counted whether a webhook's queue is full. */
const counts = perServer(() => new Map<string, { at: number; isFull: boolean }>());
const COUNTS_MAX = 10_000;

async function isFull(webhook: Types.ObjectId, max: number): Promise<boolean> {
  const known = counts().get(webhook.toHexString());
  if (known && performance.now() - known.at < COUNT_EVERY_MS) return known.isFull;
  const count = await DeliveryModel.countDocuments({ webhook, ...IS_WAITING }, { limit: max });
  if (counts().size >= COUNTS_MAX) counts().clear();
  counts().set(webhook.toHexString(), { at: performance.now(), isFull: count >= max });
  return count >= max;
}
