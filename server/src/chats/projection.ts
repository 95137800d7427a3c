import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { events } from '../events.ts';
import type { Metrics } from '../http/metrics.ts';
import { withRetries } from '../retry.ts';
import { mapPerServer, perServer } from '../scope.ts';
import type { SiteDoc } from '../sites/model.ts';
import { can } from '../team/contract.ts';
import { Finished } from '../work/finished.ts';
import { enqueue, enqueueDelayed, enqueueUnawaited, startDelayed, startWithin } from '../work/keyedQueue.ts';
import type { Receipt, Receipts } from './contract.ts';
import type { ChatAccess, ChatOfSite } from './guards.ts';
import { wasAnnounced } from './isolation.ts';
import { type ChatDoc, ChatModel, chatCache, type MessageDoc, MessageModel } from './model.ts';
import { furtherOf, PARTIES } from './receipts.ts';
import { type RowContent, type WrittenRow, writeInto } from './row.ts';
import { untoldMessages } from './webhooks.ts';

/**
 * While a visitor keeps writing, the chat's row is written and announced once in this time with everything that arrived
 * (throttle).
 */
const ROW_EVERY_MS = 250;
/** Receipts wait this long for others of their chat, since a client reports what it received and what was read one by one. */
const RECEIPTS_AFTER_MS = 50;

const WRITTEN_MAX = 20_000;
/** Number of messages per step of a catch-up. */
const CATCH_UP_MAX = 200;

/** What is not yet in a chat's row. */
interface Pending extends RowContent {
  site: SiteDoc;
  /** Resolves when it is written. */
  written: Promise<void>;
}

const pending = mapPerServer<string, Pending>();
const NOTHING: Receipt = { delivered: 0, read: 0 };
const NO_RECEIPTS: Receipts = { visitor: NOTHING, staff: NOTHING };
/** When each message was stored that is not yet in its chat's row, by `performance.now`; in order. */
const unfinished = mapPerServer<string, number>();
/** Time of the last row write of each chat, by `performance.now`; an evicted chat is only written sooner. */
const writtenAt = mapPerServer<string, number>();
/** The messages that are in their chats' rows, and whose events have been emitted. */
export const finishedRows = perServer(() => new Finished());

/**
 * For how many seconds the oldest message waits to be in its chat's row. What was given up after several tries does not
 * count: the reconciler finds it.
 */
function projectionLag(): number {
  const { done, value } = unfinished.values().next();
  return done ? 0 : (performance.now() - value) / 1000;
}

/**
 * Starts the work after a stored message: those who watch see it at once; then the chat's row includes it, and all
 * other listeners get their events. A chat's first message is shown together with the chat. A failure never reaches the
 * sender.
 * @param socketId the socket that sent it
 */
export function followUp({ chat, site }: ChatOfSite, message: MessageDoc, socketId?: string): void {
  const chatId = message.chat.toHexString();
  unfinished.set(message._id.toHexString(), performance.now());
  const shown = `${chatId}:shown`;
  if (message.seq === 1) {
    const opened = enqueue(chatId, () =>
      project(chat._id, site, { messages: [message], receipts: NO_RECEIPTS }, socketId),
    ).catch((error) => events.fail(error, 'a new chat'));
    enqueueUnawaited(shown, () => opened);
    return;
  }
  addToRow(chatId, site, message);
  enqueueUnawaited(shown, async () => {
    // Lets the acknowledgement leave first.
    await nextTurn();
    await events.emit('messageStored', { chat, site, message, socketId });
  });
}

/**
 * Queues a message for the chat's row: written at once after a quiet period (leading edge) or for an agent's answer,
 * otherwise together with others (throttle).
 */
function addToRow(chatId: string, site: SiteDoc, message: MessageDoc): void {
  const lastAt = writtenAt.get(chatId) ?? Number.NEGATIVE_INFINITY;
  const waitMs = Math.max(0, lastAt + ROW_EVERY_MS - performance.now());
  const row = pendingOf(message.chat, site, waitMs);
  row.messages.push(message);
  // Its settings may have changed since the row began to wait.
  row.site = site;
  if (waitMs === 0 || message.sender !== 'visitor') startDelayed(chatId);
}

/**
 * Moves a party's receipt forward, never back. A receipt of staff lowers the number of unread messages. All receipts of a
 * chat that arrive within a moment, and the messages that are waiting for their row, are one write.
 * @param what `delivered`: stored by the party's device; `read`: on screen in a focused page
 * @param seq up to which message; a value past the end counts as the end
 * @param withinMs by then the write begins
 * @returns resolves when it is stored
 */
export async function moveReceipt(
  { chat, site }: ChatOfSite,
  party: 'visitor' | 'staff',
  what: keyof Receipt,
  seq: number,
  withinMs = RECEIPTS_AFTER_MS,
): Promise<void> {
  const isMarked = party === 'staff' && what === 'read' && chat.unreadFrom !== undefined;
  if (chat.receipts[party][what] >= seq && !isMarked) return;
  const { receipts, written } = pendingOf(chat._id, site, withinMs);
  receipts[party] = furtherOf(receipts[party], { delivered: seq, read: what === 'read' ? seq : 0 });
  await written;
}

/** Marks messages up to `seq` as read by a member. Only members who may answer count as readers for the team. */
export async function readByStaff(access: ChatAccess, seq: number, withinMs?: number): Promise<void> {
  if (can(access.member, 'chats.reply')) await moveReceipt(access, 'staff', 'read', seq, withinMs);
}

/** Collects what the next write of a chat's row includes; the write begins within this time. */
function pendingOf(id: Types.ObjectId, site: SiteDoc, withinMs: number): Pending {
  const chatId = id.toHexString();
  const waiting = pending.get(chatId);
  if (waiting) {
    startWithin(chatId, withinMs);
    return waiting;
  }
  const content: RowContent = { messages: [], receipts: { ...NO_RECEIPTS } };
  const written = enqueueDelayed(chatId, withinMs, () => {
    pending.delete(chatId);
    if (content.messages.length > 0) noteWritten(chatId);
    return project(id, fresh.site, content);
  });
  const fresh: Pending = Object.assign(content, { site, written });
  pending.set(chatId, fresh);
  return fresh;
}

function noteWritten(chatId: string): void {
  if (writtenAt.size >= WRITTEN_MAX) writtenAt.clear();
  writtenAt.set(chatId, performance.now());
}

async function project(id: Types.ObjectId, site: SiteDoc, content: RowContent, socketId?: string): Promise<void> {
  const failed = (error: unknown) => events.fail(error, 'the row of a chat');
  const row = await withRetries(() => writeInto(id, { ...content, ...untoldMessages(site) }), { failed }).finally(
    () => {
      for (const { _id } of content.messages) unfinished.delete(_id.toHexString());
    },
  );
  if (row) await announce(site, content, row, socketId);
  for (const message of content.messages) finishedRows().add(message);
}

async function announce(
  site: SiteDoc,
  { messages }: RowContent,
  { before, chat }: WrittenRow,
  socketId?: string,
): Promise<void> {
  const [first] = messages;
  if (first?.seq === 1) {
    await events.emit('chatOpened', { chat, site });
    await events.emit('messageStored', { chat, site, message: first, socketId });
  }
  for (const message of messages) await events.emit('messageAdded', { chat, site, message });
  const wasSnoozed = before ? before.snoozedUntil !== undefined : chat.claimedBy === null;
  if (wasSnoozed && chat.snoozedUntil === undefined) await events.emit('chatWoken', { chat, site, because: 'visitor' });
  for (const party of PARTIES) {
    const receipt = chat.receipts[party];
    if (before?.receipts[party] !== receipt) await events.emit('receiptsMoved', { chat, party, receipt });
  }
  if (messages.length > 0 || before?.rev !== chat.rev) await events.emit('chatChanged', { chat, site });
}

/**
 * Does the follow-up work for stored messages that are missing in a chat's row, as if they had just been stored: their
 * writer crashed, or never got the store's answer.
 * @param upTo the last `seq` to include: later messages may still be on their way to `followUp`, and would be announced twice
 */
export function catchUp({ chat: { _id }, site }: ChatOfSite, upTo: number): Promise<void> {
  return enqueue(_id.toHexString(), async () => {
    for (;;) {
      const chat = await ChatModel.findById(_id).lean<ChatDoc>();
      const missing = await MessageModel.find({ chat: _id, seq: { $gt: chat?.lastSeq ?? 0, $lte: upTo } })
        .sort({ seq: 1 })
        .limit(CATCH_UP_MAX)
        .lean<MessageDoc[]>();
      if (!chat || missing.length === 0) return;
      chatCache.forget(_id.toHexString());
      await project(_id, site, { messages: missing, receipts: NO_RECEIPTS });
      // Those that were announced are counted already: their row lagged, because its write failed or another node is slow.
      for (const message of missing)
        if (message.seq > 1 && !wasAnnounced(message._id.toHexString()))
          await events.emit('messageStored', { chat, site, message, socketId: undefined });
    }
  });
}

/** Measures messages on their way into the store and into what follows from them. @returns a disposer */
export function measureMessages(metrics: Metrics): () => void {
  metrics.watch(
    'parley_projection_lag_seconds',
    "How long the oldest message stored by this node waits to be in its chat's row.",
    projectionLag,
  );
  return events.stopAll([
    events.on('messageStored', ({ message }) => metrics.messageStored(message.sender)),
    events.on('storeAnswered', ({ command, seconds }) => metrics.storeAnswered(command, seconds)),
    events.on('lostWorkFound', ({ projection, chats }) => metrics.lostWorkFound(projection, chats)),
  ]);
}
