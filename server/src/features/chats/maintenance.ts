import { type Model, type QueryFilter, Types } from 'mongoose';
import { eachSite, type SiteDoc, SiteModel } from '#features/sites';
import { deleteInBatches, removeOne } from '#platform/database';
import { events } from '#platform/events';
import { removeFiles } from '#platform/files';
import { DAY_MS, HOUR_MS } from '#platform/time';
import { enqueue } from '#platform/work';
import type { ChatOfSite } from './guards.ts';
import { type RemovalDoc, RemovalModel } from './lists/removals.ts';
import { type MessageDoc, MessageModel } from './messageModel.ts';
import { type ChatDoc, ChatModel } from './model.ts';
import { NoteModel } from './notes/noteModel.ts';
import { rebuild } from './row/rebuild.ts';
import { newestMessage } from './row/row.ts';
import { bytesOfChat } from './storage.ts';
import { CLOSED_BY_SERVER, type Closer, closeChat } from './turns/closing.ts';

const BATCH = 100;
/**
 * The closing message is kept as a tombstone for this long after its chat: a send that began before the deletion meets
 * it and starts a new chat, instead of being acknowledged into a deleted one.
 */
const CLOSED_MARK_KEPT_MS = 3_600_000;

/**
 * Deletes a chat with all its messages, files and notes. An open one is closed first, for its visitor. A tombstone is
 * written before anything is removed, so that `sweepRemovals` can finish after a crash; the chat itself is removed
 * first, so that it cannot be reached any more.
 */
export async function removeChat({ chat, site }: ChatOfSite, closer: Closer): Promise<void> {
  await closeChat({ chat, site }, closer);
  await enqueue(chat._id.toHexString(), async () => {
    await noteRemoval(chat);
    const removed = await removeOne(ChatModel, { _id: chat._id });
    if (removed && removed.lastSeq > 0) {
      await events.emit('chatRemoved', { chat, site, by: closer.author });
      await events.emit('chatGone', { chat });
    }
    await erase(chat._id, site._id);
  });
}

async function noteRemoval({ _id, site, bot }: ChatDoc): Promise<void> {
  const uncounted = new Types.ObjectId();
  const intent = { $setOnInsert: { site, bot, pending: true, uncounted }, $currentDate: { at: true } } as const;
  await RemovalModel.updateOne({ _id }, intent, { upsert: true });
}

/** Removes everything but the closing message, which holds no personal data. */
async function erase(chat: Types.ObjectId, site: Types.ObjectId): Promise<void> {
  const { text, files } = await bytesOfChat(chat);
  await removeFilesOf(chat);
  await deleteInBatches(MessageModel, { chat, event: { $ne: 'closed' } });
  await deleteInBatches(NoteModel, { chat });
  await events.emit('chatErased', { chatId: chat.toHexString() });
  if (text > 0 || files > 0)
    await events.emit('storageGrew', { siteId: site.toHexString(), text: -text, files: -files });
}

/** Removes the files before their messages, because the messages are needed to find them. */
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

/** Finishes deletions that a crash interrupted, and removes the closing messages once no send can need them any more. */
export async function sweepRemovals(now: number, signal: AbortSignal): Promise<void> {
  let after = new Types.ObjectId('0'.repeat(24));
  while (!signal.aborted) {
    const removals = await RemovalModel.find({ pending: true, _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<RemovalDoc[]>();
    for (const removal of removals) if (!signal.aborted) await finishRemoval(removal, now);
    const last = removals.at(-1);
    if (!last || removals.length < BATCH) return;
    after = last._id;
  }
}

async function finishRemoval({ _id, at, site }: RemovalDoc, now: number): Promise<void> {
  await removeOne(ChatModel, { _id });
  await erase(_id, site);
  if (at.getTime() > now - CLOSED_MARK_KEPT_MS) return;
  await deleteInBatches(MessageModel, { chat: _id });
  await RemovalModel.updateOne({ _id }, { $unset: { pending: 1 }, $set: { doneAt: new Date(now) } });
}

/**
 * Deletes the matching chats of one site in batches, until none is left or the signal aborts. An index must support the
 * filter.
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
    for (const chat of chats) if (!signal?.aborted) await removeChat({ chat, site }, CLOSED_BY_SERVER);
    if (chats.length < BATCH) return;
  }
}

/** Closes chats that had no message, and did not come back from a snooze, for the number of hours set by their site. */
export async function closeIdleChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { autoCloseHours } = site.settings;
    if (autoCloseHours > 0) await endIdle(site, new Date(now - autoCloseHours * HOUR_MS), closeChat, signal);
  });
}

/** Closes a chat, after which nothing is written in it, and deletes it unless somebody wrote at the last moment. */
async function removeUnlessWritten(of: ChatOfSite, closer: Closer, limit: Date): Promise<void> {
  await closeChat(of, closer);
  const written = { chat: of.chat._id, event: { $ne: 'closed' }, createdAt: { $gte: limit } } as const;
  if (!(await MessageModel.exists(written))) await removeChat(of, closer);
}

/** How an idle chat ends. */
type End = (of: ChatOfSite, closer: Closer) => Promise<unknown>;

/** Ends the open chats of a site that had no message since then, and did not come back from a snooze. */
async function endIdle(site: SiteDoc, limit: Date, end: End, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const chats = await ChatModel.find({ site: site._id, open: true, snoozedUntil: null, lastActivity: { $lt: limit } })
      .sort({ lastActivity: 1 })
      .limit(BATCH)
      .lean<ChatDoc[]>();
    for (const chat of chats) if (!signal.aborted) await endIfIdle({ chat, site }, limit, end);
    if (chats.length < BATCH) return;
  }
}

/** Ends the chat if its newest message is too old: the messages decide, because the row may lag behind them. */
async function endIfIdle(of: ChatOfSite, limit: Date, end: End): Promise<void> {
  const newest = await newestMessage(of.chat._id);
  // A chat without a message was never shown: a failed first send left it.
  if (!newest) await removeChat(of, CLOSED_BY_SERVER);
  else if (newest.createdAt < limit) await end(of, CLOSED_BY_SERVER);
  else if (newest.event === 'closed') await closeChat(of, CLOSED_BY_SERVER);
  else await rebuild(of.chat._id, of.site);
}

/**
 * Deletes chats that have been closed for longer than their site's retention, in days, and open ones in which nobody has
 * written for so long: they are as old, and may never be closed.
 */
export async function removeOldChats(now: number, signal: AbortSignal): Promise<void> {
  await eachSite(signal, async (site) => {
    const { retentionDays } = site.settings;
    if (retentionDays === 0) return;
    const limit = new Date(now - retentionDays * DAY_MS);
    await removeChats(site, { status: 'closed', closedAt: { $lt: limit } }, signal);
    await endIdle(site, limit, (of, closer) => removeUnlessWritten(of, closer, limit), signal);
  });
}

/** Number of chats whose messages are removed together. */
const CHATS_AT_ONCE = 50;
/** Margin for clock differences between machines, and for ids, which have whole seconds only. */
const OVERLAP_MS = 60_000;

/** Removes all chats, messages and notes of a deleted site. */
export async function purgeChats(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(NoteModel, { site }, signal);
  await purgeWithMessages(ChatModel, site, signal);
  // A chat deleted earlier leaves its tombstone and its closing message.
  await purgeWithMessages(RemovalModel, site, signal);
  await purgeLate(site, signal);
}

/** Removes documents whose id is a chat's id, each after its messages, which are found by that id. */
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

/** Removes messages that were being sent while their chat was removed: they were created after the site's deletion. */
async function purgeLate(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  const row = await SiteModel.findById(site, { deletedAt: 1 }).lean();
  const since = ((row?.deletedAt ?? new Date()).getTime() - OVERLAP_MS) / 1000;
  await deleteInBatches(MessageModel, { _id: { $gt: Types.ObjectId.createFromTime(since) }, site }, signal);
}
