import type { Types } from 'mongoose';
import { articleBytes } from '#features/articles';
import { replyFileBytes } from '#features/replies';
import { eachSite, type SiteDoc } from '#features/sites';
import { type Bytes, siteFull, textBytes, type Usage } from '#features/usage';
import { events } from '#platform/events';
import { DAY_MS } from '#platform/time';
import { type MessageDoc, MessageModel } from './messageModel.ts';
import { findSent, type MessageInput } from './messages/messages.ts';
import { ChatModel } from './model.ts';
import { NoteModel } from './notes/noteModel.ts';

const BATCH = 500;
const CHATS_AT_ONCE = 50;
/** The stored amount of each site is recounted after this time even without a known error. */
const RECOUNT_AFTER_MS = 7 * DAY_MS;

/** The fields of a message that count. A message of Parley's own counts nothing. */
type Measured = Pick<MessageDoc, 'content' | 'event' | 'file' | 'mail'>;

/** @returns the stored size of a message */
export function messageBytes({ content, event, file, mail }: Measured): Bytes {
  const whole = Buffer.byteLength(mail?.whole ?? '');
  return { text: event ? 0 : textBytes(content) + whole, files: file?.size ?? 0 };
}

/**
 * Refuses a message that the site has no room for. A message that was stored before passes, so that its retry gets the
 * usual answer.
 * @throws AppError 413 `SITE_FULL`
 */
export async function refuseIfFull(
  usage: Usage,
  { _id }: SiteDoc,
  senderKey: string,
  input: MessageInput,
): Promise<void> {
  if (input.stored || usage.fits(_id.toHexString(), { text: textBytes(input.content) })) return;
  const { clientId, content } = input;
  if (clientId !== undefined && (await findSent(senderKey, { clientId, content }))) return;
  throw siteFull(senderKey.startsWith('v:'));
}

/** Counts the size of messages and notes as they are stored. @returns a disposer */
export function countStoredBytes(): () => void {
  return events.stopAll([
    events.on('messageStored', ({ message }) =>
      events.emit('storageGrew', { siteId: message.site.toHexString(), ...messageBytes(message) }),
    ),
    events.on('noteAdded', ({ note }) =>
      events.emit('storageGrew', { siteId: note.site.toHexString(), text: textBytes(note.content), files: 0 }),
    ),
  ]);
}

/** @returns the stored size of a chat's messages and notes */
export function bytesOfChat(chat: Types.ObjectId): Promise<Bytes> {
  return sumUp({ chat });
}

async function sumUp(of: object): Promise<Bytes> {
  return add(await sumUpMessages(of), await sumUpNotes(of));
}

async function sumUpMessages(of: object): Promise<Bytes> {
  const sum = { text: 0, files: 0 };
  const fields = { content: 1, event: 1, 'file.size': 1, 'mail.whole': 1 };
  for await (const message of MessageModel.find(of, fields).lean<Measured>().cursor({ batchSize: BATCH }))
    add(sum, messageBytes(message));
  return sum;
}

async function sumUpNotes(of: object): Promise<Bytes> {
  const sum = { text: 0, files: 0 };
  const notes = NoteModel.find(of, { content: 1 }).lean<{ content: string }>().cursor({ batchSize: BATCH });
  for await (const { content } of notes) sum.text += textBytes(content);
  return sum;
}

function add(sum: Bytes, { text, files }: Bytes): Bytes {
  sum.text += text;
  sum.files += files;
  return sum;
}

/** Sums up what a site has stored before a given time. The messages are found by their chats. */
async function sumUpSite(site: Types.ObjectId, before: Date): Promise<Bytes> {
  const createdAt = { $lt: before };
  const sum = await sumUpNotes({ site, createdAt });
  sum.files += await replyFileBytes(site, before);
  const articles = await articleBytes(site, before);
  sum.text += articles.text;
  sum.files += articles.files;
  for await (const chats of chatsOf(site)) add(sum, await sumUpMessages({ chat: { $in: chats }, createdAt }));
  return sum;
}

/** The chats of a site in batches. A chat with activity meanwhile moves to the end and is met again, but given only once. */
async function* chatsOf(site: Types.ObjectId): AsyncGenerator<Types.ObjectId[]> {
  const seen = new Set<string>();
  let chats: Types.ObjectId[] = [];
  for (const bot of [false, true]) {
    const found = ChatModel.find({ site, bot }, { _id: 1 }).sort({ lastActivity: 1, _id: 1 });
    for await (const { _id } of found.lean<{ _id: Types.ObjectId }>().cursor({ batchSize: BATCH })) {
      if (seen.size === seen.add(_id.toHexString()).size) continue;
      chats.push(_id);
      if (chats.length < CHATS_AT_ONCE) continue;
      yield chats;
      chats = [];
    }
  }
  if (chats.length > 0) yield chats;
}

/** Recounts the storage of sites that were never counted, not for long, or last by a process that died. */
export function recountSites(usage: Usage) {
  return async (now: number, signal: AbortSignal): Promise<void> => {
    const since = new Date(now - RECOUNT_AFTER_MS);
    let canCount = true;
    await eachSite(signal, async ({ _id: site }) => {
      // Compares the documents' own times: ids have whole seconds only, and younger documents would be missed.
      if (!canCount) return;
      canCount = await usage.recount(site.toHexString(), since, (before) => sumUpSite(site, before), signal);
    });
  };
}
