import { type Model, type QueryFilter, Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { events } from '../events.ts';
import { removeFiles } from '../files/keep.ts';
import { eachSite, type SiteDoc, SiteModel } from '../sites/model.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';
import type { ChatOfSite } from './guards.ts';
import { inOrder } from './keyedQueue.ts';
import { type Closer, closeChat, NOBODY } from './lifecycle.ts';
import { newestMessage } from './messages.ts';
import {
  type ChatDoc,
  ChatModel,
  type MessageDoc,
  MessageModel,
  NoteModel,
  type RemovalDoc,
  RemovalModel,
} from './model.ts';
import { rebuild } from './projection.ts';
import { bytesOfChat } from './storage.ts';

const BATCH = 100;
/**
 * The closing message outlives its chat for this long: a send that began before the deletion meets it and starts a new
 * chat, instead of being acknowledged into one that is gone.
 */
const CLOSED_MARK_KEPT_MS = 3_600_000;

/**
 * Deletes a chat with all its messages, files and notes. An open one is closed first, for its visitor. The intent is written
 * before anything goes (`sweepRemovals` makes a crash good); the chat itself goes first, out of everybody's reach at once.
 */
export async function removeChat({ chat, site }: ChatOfSite, closer: Closer): Promise<void> {
  await closeChat({ chat, site }, closer);
  await inOrder(chat._id.toHexString(), async () => {
    await noteRemoval(chat);
    const removed = await ChatModel.findOneAndDelete({ _id: chat._id }).lean<ChatDoc>();
    if (removed && removed.lastSeq > 0) await events.emit('chatRemoved', { chat, site, by: closer.author });
    await erase(chat._id, site._id);
  });
}

async function noteRemoval({ _id, site, bot }: ChatDoc): Promise<void> {
  const intent = { $setOnInsert: { site, bot, pending: true }, $currentDate: { at: true } } as const;
  await RemovalModel.updateOne({ _id }, intent, { upsert: true });
}

/** Everything but the closing message, which says nothing about anybody. */
async function erase(chat: Types.ObjectId, site: Types.ObjectId): Promise<void> {
  const { text, files } = await bytesOfChat(chat);
  await removeFilesOf(chat);
  await deleteInBatches(MessageModel, { chat, event: { $ne: 'closed' } });
  await deleteInBatches(NoteModel, { chat });
  await events.emit('chatErased', { chatId: chat.toHexString() });
  if (text > 0 || files > 0)
    await events.emit('storageGrew', { siteId: site.toHexString(), text: -text, files: -files });
}

/** The files before their messages, by which they are found. */
async function removeFilesOf(chat: Types.ObjectId): Promise<void> {
  let after = 0;
  for (;;) {
    const messages = await MessageModel.find({ chat, seq: { $gt: after }, file: { $exists: true } }, { seq: 1 })
      .sort({ seq: 1 })
      .limit(BATCH)
      .lean<MessageDoc[]>();
    await removeFiles(messages.map(({ _id }) => _id));
    after = messages.at(-1)?.seq ?? after;
    if (messages.length < BATCH) return;
  }
}

/** Finishes deletions that a crash cut short, and takes the closing messages away once nobody can need them. */
export async function sweepRemovals(now: number, signal: AbortSignal): Promise<void> {
  let after = new Types.ObjectId('0'.repeat(24));
  while (!signal.aborted) {
    const removals = await RemovalModel.find({ pending: true, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<RemovalDoc[]>();
    for (const removal of removals) await finishRemoval(removal, now);
    const last = removals.at(-1);
    if (!last || removals.length < BATCH) return;
    after = last._id;
  }
}

async function finishRemoval({ _id, at, site }: RemovalDoc, now: number): Promise<void> {
  await ChatModel.deleteOne({ _id });
  await erase(_id, site);
  if (at.getTime() > now - CLOSED_MARK_KEPT_MS) return;
  await deleteInBatches(MessageModel, { chat: _id });
  await RemovalModel.updateOne({ _id }, { $unset: { pending: 1 }, $set: { doneAt: new Date(now) } });
}

/**
 * Deletes chats of one site that match, batch by batch, until none is left or the signal says stop. The filter has to
 * be carried by an index.
 */
export async function removeChats(
  site: ChatOfSite['site'],
  filter: QueryFilter<ChatDoc>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const chats = await ChatModel.find({ ...filter, site: site._id })
      .limit(BATCH)
      .lean<ChatDoc[]>();
    for (const chat of chats) await removeChat({ chat, site }, NOBODY);
    if (chats.length < BATCH) return;
  }
}

/** Closes chats that saw no message for as many hours as their site allows. */
export async function closeIdleChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { autoCloseHours } = site.settings;
    if (autoCloseHours > 0) await closeIdleBefore(site, new Date(now - autoCloseHours * HOUR_MS), signal);
  });
}

async function closeIdleBefore(site: SiteDoc, limit: Date, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const chats = await ChatModel.find({ site: site._id, open: true, lastActivity: { $lt: limit } })
      .sort({ lastActivity: 1 })
      .limit(BATCH)
      .lean<ChatDoc[]>();
    for (const chat of chats) await closeIfIdle(chat, site, limit);
    if (chats.length < BATCH) return;
  }
}

/** The messages decide, not the row, which may be behind them. */
async function closeIfIdle(chat: ChatDoc, site: SiteDoc, limit: Date): Promise<void> {
  const newest = await newestMessage(chat._id);
  // Without a message it was never shown: what a failed first send left.
  if (!newest) await removeChat({ chat, site }, NOBODY);
  else if (newest.event === null && newest.createdAt >= limit) await rebuild(chat._id);
  else await closeChat({ chat, site }, NOBODY);
}

/** Deletes chats that have been closed for more days than their site keeps them. */
export async function removeOldChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { retentionDays } = site.settings;
    if (retentionDays === 0) return;
    const limit = new Date(now - retentionDays * DAY_MS);
    await removeChats(site, { status: 'closed', closedAt: { $lt: limit } }, signal);
  });
}

/** Chats whose messages go together. */
const CHATS_AT_ONCE = 50;
/** Clocks of several machines, and the seconds that ids are made of. */
const OVERLAP_MS = 60_000;

/** Removes all chats, messages and notes of a deleted site. */
export async function purgeChats(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(NoteModel, { site }, signal);
  await purgeWithMessages(ChatModel, site, signal);
  // a chat that was deleted before leaves the message that closed it
  await purgeWithMessages(RemovalModel, site, signal);
  await purgeLate(site, signal);
}

/** Removes documents that stand for chats under their ids, each after its messages, which are found by it. */
async function purgeWithMessages<Doc extends { _id: Types.ObjectId; site: Types.ObjectId }>(
  model: Model<Doc>,
  site: Types.ObjectId,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const found = await model
      .find({ site } as QueryFilter<Doc>, { _id: 1 })
      .limit(CHATS_AT_ONCE)
      .lean<Pick<Doc, '_id'>[]>();
    const ids = found.map(({ _id }) => _id);
    await deleteInBatches(MessageModel, { chat: { $in: ids } }, signal);
    if (signal?.aborted) return;
    await model.deleteMany({ _id: { $in: ids } } as QueryFilter<Doc>);
    if (ids.length < CHATS_AT_ONCE) return;
  }
}

/** Removes messages that were on their way while their chat went: they are among those since the site was deleted. */
async function purgeLate(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  const row = await SiteModel.findById(site, { deletedAt: 1 }).lean();
  const since = ((row?.deletedAt ?? new Date()).getTime() - OVERLAP_MS) / 1000;
  await deleteInBatches(MessageModel, { _id: { $gt: Types.ObjectId.createFromTime(since) }, site }, signal);
}
