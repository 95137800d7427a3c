import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { SiteDoc } from '#features/sites';
import { can } from '#features/team/contract';
import { events } from '#platform/events';
import type { Metrics } from '#platform/http';
import { withRetries } from '#platform/time';
import { enqueue, enqueueDelayed, enqueueUnawaited, ProcessedMessages, startDelayed } from '#platform/work';
import type { Receipt, Receipts } from '../contract.ts';
import type { ChatAccess, ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, chatCache } from '../model.ts';
import { wasAnnounced } from './isolation.ts';
import { rebuildWith } from './rebuild.ts';
import { furtherOf, PARTIES, type RowContent, type WrittenRow, writeInto } from './row.ts';

/** Number of messages per step of a catch-up. */
const CATCH_UP_MAX = 200;

/** What is not yet in a chat's row. */
interface Pending extends RowContent {
  /** Resolves when it is written. */
  written: Promise<void>;
}

const pending = new Map<string, Pending>();
const NOTHING: Receipt = { delivered: 0, read: 0 };
const NO_RECEIPTS: Receipts = { visitor: NOTHING, staff: NOTHING };
/** When each message was stored that is not yet in its chat's row, by `performance.now`; in order. */
const pendingSince = new Map<string, number>();
/** A row that is to be written, or whose events are to be emitted. */
interface RowUnderWay {
  chatId: string;
  siteId: string;
  written: Promise<void>;
  announced: Promise<void>;
}

const underWay = new Set<RowUnderWay>();
/** Whoever reads does not wait longer for a write that is tried again, or for slow listeners of its events. */
const READER_WAIT_MAX_MS = 500;
/** The messages that are in their chats' rows, and whose events have been emitted. */
export const processedRows = new ProcessedMessages();

/**
 * For how many seconds the oldest message waits to be in its chat's row. What was given up after several tries does not
 * count: the reconciler finds it.
 */
function projectionLag(): number {
  const { done, value } = pendingSince.values().next();
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
  pendingSince.set(message._id.toHexString(), performance.now());
  const broadcastKey = `${chatId}:shown`;
  if (message.seq === 1) {
    const content: RowContent = { site, messages: [message], receipts: NO_RECEIPTS };
    const opened = track(chatId, site, (wasWritten) =>
      enqueue(chatId, () => project(chat._id, content, { socketId, wasWritten })),
    ).catch((error) => events.fail(error, 'a new chat'));
    enqueueUnawaited(broadcastKey, () => opened);
    return;
  }
  const row = pendingOf(message.chat, site);
  row.messages.push(message);
  // Its settings may have changed since the row began to wait.
  row.site = site;
  enqueueUnawaited(broadcastKey, async () => {
    // Lets the acknowledgement leave first.
    await nextTurn();
    await events.emit('messageStored', { chat, site, message, socketId });
  });
}

/**
 * Resolves when the rows of some sites include every message and receipt that was acknowledged here, so that whoever reads a
 * list after an acknowledgement finds it there; or after a moment, if a row cannot be written.
 */
export async function rowsWritten(sites: readonly Pick<SiteDoc, '_id'>[]): Promise<void> {
  const rows = startedRows(sites).map(({ written }) => written);
  if (rows.length > 0) await forReader(Promise.all(rows));
}

/** As `rowsWritten`, when all listeners have heard of them, too. */
export async function rowsAnnounced(sites: readonly Pick<SiteDoc, '_id'>[]): Promise<void> {
  const rows = startedRows(sites).map(({ announced }) => announced);
  if (rows.length > 0) await forReader(Promise.allSettled(rows));
}

/** Waits for a write that somebody who reads wants to see, but not for long. */
export async function forReader(written: Promise<unknown>): Promise<void> {
  await Promise.race([written, sleep(READER_WAIT_MAX_MS, undefined, { ref: false })]);
}

/** The rows of some sites that are under way, after starting those that wait for their tick. */
function startedRows(sites: readonly Pick<SiteDoc, '_id'>[]): RowUnderWay[] {
  if (underWay.size === 0) return [];
  const ids = new Set(sites.map(({ _id }) => _id.toHexString()));
  const pendingRows = [...underWay].filter(({ siteId }) => ids.has(siteId));
  for (const { chatId } of pendingRows) if (pending.has(chatId)) startDelayed(chatId);
  return pendingRows;
}

/** Notes a row as under way until it is announced. @param begin is given what to call when it is written */
function track(chatId: string, { _id }: SiteDoc, begin: (wasWritten: () => void) => Promise<void>): Promise<void> {
  let wasWritten = () => {};
  const written = new Promise<void>((resolve) => {
    wasWritten = resolve;
  });
  const announced = begin(wasWritten);
  const row = { chatId, siteId: _id.toHexString(), written, announced };
  underWay.add(row);
  const isOver = () => {
    wasWritten();
    underWay.delete(row);
  };
  announced.then(isOver, isOver);
  return announced;
}

/**
 * Moves a party's receipt forward, never back. A receipt of staff lowers the number of unread messages. All receipts and
 * messages of a chat that wait for its row are one write.
 * @param what `delivered`: stored by the party's device; `read`: on screen in a focused page
 * @param seq up to which message; a value past the end counts as the end
 * @returns resolves when it is stored
 */
export async function moveReceipt(
  { chat, site }: ChatOfSite,
  party: 'visitor' | 'staff',
  what: keyof Receipt,
  seq: number,
): Promise<void> {
  const isMarked = party === 'staff' && what === 'read' && chat.unreadFrom !== undefined;
  if (chat.receipts[party][what] >= seq && !isMarked) return;
  const { receipts, written } = pendingOf(chat._id, site);
  receipts[party] = furtherOf(receipts[party], { delivered: seq, read: what === 'read' ? seq : 0 });
  await written;
}

/** Marks messages up to `seq` as read by a member. Only members who may answer count as readers for the team. */
export async function readByStaff(access: ChatAccess, seq: number): Promise<void> {
  if (can(access.member, 'chats.reply')) await moveReceipt(access, 'staff', 'read', seq);
}

/** Collects what the next write of a chat's row includes: what arrives until the next tick, of all chats at the same time. */
function pendingOf(id: Types.ObjectId, site: SiteDoc): Pending {
  const chatId = id.toHexString();
  const waiting = pending.get(chatId);
  if (waiting) return waiting;
  const content: RowContent = { site, messages: [], receipts: { ...NO_RECEIPTS } };
  const written = track(chatId, site, (wasWritten) =>
    enqueueDelayed(chatId, () => {
      pending.delete(chatId);
      return project(id, content, { wasWritten });
    }),
  );
  const newRow: Pending = Object.assign(content, { written });
  pending.set(chatId, newRow);
  return newRow;
}

/** @param wasWritten called before the events */
async function project(
  id: Types.ObjectId,
  content: RowContent,
  { socketId, wasWritten }: { socketId?: string | undefined; wasWritten?: () => void } = {},
): Promise<void> {
  const failed = (error: unknown) => events.fail(error, 'the row of a chat');
  const write = async () => (await writeInto(id, content)) ?? (await rebuildWith(id, content));
  const row = await withRetries(write, { failed }).finally(() => {
    for (const { _id } of content.messages) pendingSince.delete(_id.toHexString());
  });
  wasWritten?.();
  if (row) await announce(content, row, socketId);
  for (const message of content.messages) processedRows.add(message);
}

async function announce(
  { site, messages }: RowContent,
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
      await project(_id, { site, messages: missing, receipts: NO_RECEIPTS });
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
