import { Types } from 'mongoose';
import type { SiteDoc } from '#features/sites';
import { DUPLICATE_KEY, OUT_OF_DISK_SPACE, writeDurably } from '#platform/database';
import { events } from '#platform/events';
import { storageFull, unavailable } from '#platform/http';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { previewOf } from '../row/row.ts';
import { messageBytes } from '../storage.ts';
import { storedText } from './cardNumbers.ts';
import { importedId, importedIds, type PreparedMessage } from './importedMessages.ts';

/** A conversation of another chat that is to be stored. */
export interface ImportedChat {
  /** The same whenever the conversation is imported: a site stores each key once. */
  key: string;
  visitor: Types.ObjectId;
  person: { name: string | null; email: string | null };
  /** How many messages it has, when the first and the last one were sent, and the text of the last one. */
  messages: number;
  firstAt: number;
  lastAt: number;
  lastText: string;
}

const IMPORTED_TAG = 'imported';
/** Messages of one command. */
const BATCH = 200;

/** @returns the chats that imports have stored under these keys, by key */
export async function findImportedChats(site: Types.ObjectId, keys: string[]): Promise<Map<string, ChatDoc>> {
  const chats = await ChatModel.find({ site, importKey: { $in: keys } }).lean<ChatDoc[]>();
  return new Map(chats.map((chat) => [chat.importKey ?? '', chat]));
}

/**
 * Stores the rows of imported conversations, as closed chats on their own dates. They emit no events, and no figures count
 * them. Idempotent: a chat that this run has begun is given, those of earlier runs are left out.
 * @param run the id of the import
 * @returns the chats whose messages this run has to store, by key
 * @throws AppError 503, 507
 */
export async function storeImportedChats(
  site: SiteDoc,
  run: Types.ObjectId,
  past: ImportedChat[],
): Promise<Map<string, ChatDoc>> {
  const made = past.map((one) => chatOf(site, run, one));
  await insertAll(ChatModel.collection.name, made);
  const stored = await findImportedChats(
    site._id,
    past.map(({ key }) => key),
  );
  // Of a run that is started again with other columns, a chat may have another length by now: it stays as it is.
  for (const { importKey = '', lastSeq } of made) {
    const row = stored.get(importKey);
    if (row && !(row.importRun?.equals(run) && row.lastSeq === lastSeq)) stored.delete(importKey);
  }
  return stored;
}

/** Stores messages of a chat, the last ones of which close it. Idempotent. @throws AppError 503, 507 */
export async function storeImportedMessages(
  site: SiteDoc,
  parts: { chat: ChatDoc; messages: PreparedMessage[] }[],
): Promise<void> {
  const all = parts.flatMap(({ chat, messages }) => {
    const docs = messages.map((message) => messageOf(site, chat, message));
    return messages.at(-1)?.seq === chat.lastSeq - 1 ? [...docs, closing(site, chat)] : docs;
  });
  let text = 0;
  for (let from = 0; from < all.length; from += BATCH) {
    const batch = all.slice(from, from + BATCH);
    const refused = await insertAll(MessageModel.collection.name, batch);
    for (const [at, message] of batch.entries()) if (!refused.has(at)) text += messageBytes(message).text;
  }
  if (text > 0) await events.emit('storageGrew', { siteId: site._id.toHexString(), text, files: 0 });
}

/** Inserts what is not there yet. @returns the indexes of what is */
async function insertAll(insert: string, documents: object[]): Promise<Set<number>> {
  if (documents.length === 0) return new Set();
  const { writeErrors } = await writeDurably({ insert, documents });
  const failed = writeErrors.find(({ code }) => code !== DUPLICATE_KEY);
  if (failed) throw failed.code === OUT_OF_DISK_SPACE ? storageFull() : unavailable();
  return new Set(writeErrors.map(({ index }) => index));
}

function chatOf(site: SiteDoc, run: Types.ObjectId, past: ImportedChat): ChatDoc {
  const { key, visitor, person, messages, firstAt, lastAt, lastText } = past;
  const ended = new Date(lastAt);
  const seq = messages + 1;
  const read = { delivered: seq, read: seq };
  return {
    // Another one in each run: a chat that was deleted may still be being removed under its id.
    _id: new Types.ObjectId(importedId(firstAt, `${run}:${key}`)),
    site: site._id,
    visitor,
    status: 'closed',
    bot: false,
    visitorInfo: { ...person, userAgent: '', location: null },
    claimedBy: null,
    tags: [IMPORTED_TAG],
    rating: null,
    blocked: false,
    createdAt: new Date(firstAt),
    closedAt: ended,
    closedBy: null,
    turnSeq: seq,
    lastSeq: seq,
    lastMessage: previewOf(storedText(site, lastText)),
    lastActivity: ended,
    unread: 0,
    receipts: { visitor: read, staff: read },
    rev: 1,
    // Dashboards that were offline are not sent thousands of old chats.
    updatedAt: ended,
    importKey: key,
    importRun: run,
  };
}

function messageOf(site: SiteDoc, chat: ChatDoc, message: PreparedMessage): MessageDoc {
  const { id, clientId, seq, at, sender, name, text } = message;
  return {
    _id: new Types.ObjectId(id),
    chat: chat._id,
    site: site._id,
    seq,
    senderKey: `i:${chat._id}`,
    clientId,
    author: null,
    createdAt: new Date(at),
    sender,
    authorName: name,
    event: null,
    content: text,
  };
}

/** Every closed chat ends with such a message, which exports show and a reopening continues from. */
function closing(site: SiteDoc, chat: ChatDoc): MessageDoc {
  const at = chat.lastActivity.getTime();
  const ids = importedIds(chat._id.toHexString(), { seq: chat.lastSeq, at });
  const closingMessage = { seq: chat.lastSeq, at, sender: 'agent', name: null, text: 'Chat closed' } as const;
  return { ...messageOf(site, chat, { ...ids, ...closingMessage }), sender: 'system', event: 'closed' };
}
