import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { liveSite } from '#features/sites';
import { siteFull, textBytes, type Usage } from '#features/usage';
import { events } from '#platform/events';
import { removeFiles } from '#platform/files';
import { conflict, duplicateKey, forbidden, notFound, sentence, unavailable } from '#platform/http';
import { isFormatted } from '#platform/text/formatting/contract';
import { withRetries } from '#platform/time';
import { enqueue, markedProjection, marksIn } from '#platform/work';
import { MESSAGE_CHANGE_MS } from '../contract.ts';
import type { ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
import { type OutboxUpdate, outboxUpdate } from '../outboxEvents.ts';
import { newestPersonMessage } from '../row/rebuild.ts';
import { plainText, previewOf } from '../row/row.ts';
import { messageBytes } from '../storage.ts';
import { storedText } from './cardNumbers.ts';

/** With more concurrent changes of one visitor's messages than this, the author is requested to try again. */
const TRIES_MAX = 50;

/** A new text for a message; null: the message is deleted. */
export type Change = { content: string; formatted?: boolean; edit?: number } | null;

/** Which message is to be changed, and who asks for it. */
interface ChangeOf {
  messageId: string;
  /** As in the message: only its author may change it. */
  senderKey: string;
}

/** A changed message, as it was and as it is. */
interface Changed {
  was: MessageDoc;
  message: MessageDoc;
}

/**
 * Corrects or deletes an author's own message for a quarter of an hour after it was sent. Its place in the chat stays; a
 * deleted text or file is gone. One guarded write of the message is the commit; what is made from the message follows. A
 * repeat of the same change returns the message as it is.
 * @throws AppError 403 `NOT_YOUR_MESSAGE`, 404, 409 `TOO_LATE`, `MESSAGE_DELETED`, `MESSAGE_CHANGED`, `NOT_A_TEXT`, 413
 */
export async function changeMessage(
  of: ChatOfSite,
  { messageId, senderKey }: ChangeOf,
  requested: Change,
  usage: Usage,
): Promise<MessageDoc> {
  const change = requested && { ...requested, content: storedText(of.site, requested.content) };
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const was = await MessageModel.findOne({ _id: messageId, chat: of.chat._id }).lean<MessageDoc>();
    if (!was) throw notFound('message');
    if (was.senderKey !== senderKey)
      throw forbidden('NOT_YOUR_MESSAGE', sentence('You can only correct or delete your own messages.'));
    if (isDone(was, change)) return was;
    refuse(was, change);
    if (change) refuseIfFull(was, change.content, usage);
    const message = await commit(of.chat, was, change);
    if (!message) continue;
    follow(of, { was, message });
    return message;
  }
  throw unavailable();
}

const isDone = (was: MessageDoc, change: Change): boolean =>
  change
    ? !was.deletedAt && !was.file && was.content === change.content && !reformats(was, change)
    : was.deletedAt !== undefined;

/** Whether the corrected text is to be shown with its formatting, where it was not, or the other way round. */
function reformats({ formatted = false }: MessageDoc, change: Change): boolean {
  if (change?.formatted === undefined) return false;
  return formatted !== (change.formatted && isFormatted(change.content));
}

function refuse({ createdAt, file, deletedAt, edit = 0 }: MessageDoc, change: Change): void {
  if (deletedAt) throw conflict('MESSAGE_DELETED', sentence('This message is deleted.'));
  if (change && file) throw conflict('NOT_A_TEXT', sentence('A file can be deleted, but not corrected.'));
  if (change?.edit !== undefined && change.edit !== edit)
    throw conflict('MESSAGE_CHANGED', sentence('This message was changed meanwhile.'));
  if (Date.now() - createdAt.getTime() > MESSAGE_CHANGE_MS)
    throw conflict('TOO_LATE', sentence('A message can be corrected or deleted for 15 minutes.'));
}

function refuseIfFull({ site, senderKey, content }: MessageDoc, next: string, usage: Usage): void {
  const more = textBytes(next) - textBytes(content);
  if (more > 0 && !usage.fits(site.toHexString(), { text: more })) throw siteFull(senderKey.startsWith('v:'));
}

/**
 * The changes of a visitor's messages are numbered, over all chats: the next number is taken under a unique index, like the
 * `seq` of a message. So a client that has all changes up to n misses none, whenever it was away.
 * @returns null when another change of the message came first, or another message took the number
 */
async function commit({ visitor }: ChatDoc, was: MessageDoc, change: Change): Promise<MessageDoc | null> {
  const newest = await MessageModel.findOne({ visitor, edit: { $gt: 0 } }, { edit: 1 })
    .sort({ edit: -1 })
    .lean<Pick<MessageDoc, 'edit'>>();
  const numbered = { visitor, edit: (newest?.edit ?? 0) + 1, unapplied: new Types.ObjectId() };
  // False and not removed: whoever holds the message takes the fields that come.
  const formatted = change
    ? reformats(was, change) && { formatted: !was.formatted }
    : was.formatted && { formatted: false };
  const update = change
    ? { $set: { ...numbered, ...formatted, content: change.content, editedAt: new Date() } }
    : {
        $set: { ...numbered, ...formatted, content: '', deletedAt: new Date() },
        $unset: { file: 1, editedAt: 1, mail: 1 },
      };
  try {
    return await MessageModel.findOneAndUpdate({ _id: was._id, edit: was.edit ?? null }, update, {
      returnDocument: 'after',
    }).lean<MessageDoc>();
  } catch (error) {
    if (duplicateKey(error)) return null;
    throw error;
  }
}

/** Starts the work after a change. Nobody waits for it, and what fails for good is found by the reconciler. */
function follow(of: ChatOfSite, changed: Changed): void {
  const { was, message } = changed;
  const text = messageBytes(message).text - messageBytes(was).text;
  const files = -(was.file?.size ?? 0);
  void events.emit('storageGrew', { siteId: message.site.toHexString(), text, files });
  const failed = (error: unknown) => events.fail(error, 'a changed message');
  withRetries(() => apply(of, message, was.content), { failed }).catch(failed);
}

/** By then another node has written the row of a message that it stored. */
const OTHERS_ROW_MS = 500;

/**
 * Makes everything that is made from a message follow its change: the chat's row, the screens, the search index and the
 * stored file. Idempotent.
 * @param before the text before the change; null: it is not known any more
 */
async function apply(of: ChatOfSite, message: MessageDoc, before: string | null): Promise<void> {
  const { site } = of;
  let heard: Promise<void> | undefined;
  const include = () =>
    enqueue(message.chat.toHexString(), async () => {
      const chat = await writeChange(message, outboxUpdateOf(of, message));
      if (!chat) return null;
      // The search index takes its time; the next event of the chat does not wait for it.
      heard ??= events.emit('messageChanged', { chat, site, message, before });
      await events.emit('chatChanged', { chat, site });
      return chat;
    });
  const isBehind = (row: ChatDoc | null) => row !== null && row.lastSeq < message.seq;
  let row = await include();
  await heard;
  if (message.deletedAt) await removeFiles([message._id]);
  if (isBehind(row)) {
    // Another node stored the message, and writes the row with the text from before.
    await sleep(OTHERS_ROW_MS, undefined, { ref: false });
    row = await include();
  }
  // Otherwise the reconciler looks again.
  if (isBehind(row)) return;
  await MessageModel.updateOne(
    { _id: message._id, unapplied: message.unapplied ?? null },
    { $unset: { unapplied: 1 } },
  );
}

/** Idempotent: the outbox knows the change by its number. */
function outboxUpdateOf(of: ChatOfSite, { _id: message, edit = 0, editedAt, deletedAt }: MessageDoc): OutboxUpdate {
  const event = deletedAt ? 'message.deleted' : 'message.updated';
  return outboxUpdate(of, event, { message, edit }, deletedAt ?? editedAt);
}

/** The projection of changed messages: a mark in the message says that something may be missing. */
export const messageChanges = markedProjection(
  'messageChanges',
  marksIn({ model: MessageModel, mark: 'unapplied', finish: applyLate }),
);

/** A chat or site that is being deleted takes its messages along. */
async function applyLate(message: MessageDoc): Promise<void> {
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  const site = chat && (await liveSite(chat.site.toHexString()));
  if (site) await apply({ chat, site }, message, null);
}

/**
 * Includes a changed message in its chat's row, with its text as it is by now: another node may have changed it again. The row's
 * newest change is read before the messages, so a change that comes between is another one in the row by then, or writes it later.
 * @param update what else is written with it
 * @returns null: the chat was deleted meanwhile
 * @throws AppError 503 if other changes came between each time
 */
async function writeChange(
  { chat, edit = 0 }: MessageDoc,
  { fields, ...outbox }: OutboxUpdate,
): Promise<ChatDoc | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const row = await ChatModel.findById(chat, { lastSeq: 1, lastEdit: 1 }).lean<ChatDoc>();
    if (!row) return null;
    // Below system messages, such as that of a close, the row still shows the message before.
    const shown = await newestPersonMessage(chat, row.lastSeq);
    const written = await ChatModel.findOneAndUpdate(
      { _id: chat, lastSeq: row.lastSeq, lastEdit: row.lastEdit ?? null },
      {
        ...outbox,
        $set: { ...fields, ...(shown && { lastMessage: previewOf(plainText(shown)) }) },
        ...SET_UPDATED_AT,
        $max: { lastEdit: edit },
        $inc: { rev: 1 },
      },
      { returnDocument: 'after' },
    ).lean<ChatDoc>();
    if (written) return written;
  }
  throw unavailable();
}
