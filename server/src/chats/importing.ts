import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { events } from '../events.ts';
import { DUPLICATE_KEY, OUT_OF_DISK_SPACE, storageFull, unavailable } from '../http/errors.ts';
import { uuidOf } from '../secrets.ts';
import type { SiteDoc } from '../sites/model.ts';
import { HOUR_MS } from '../time.ts';
import { storedText } from './cardNumbers.ts';
import { writeDurably } from './messages.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from './model.ts';
import { previewOf } from './rowFields.ts';
import { messageBytes } from './storage.ts';

/** A message of another chat. */
export interface PastMessage {
  /** Its number in its conversation, from 1 without gaps. */
  seq: number;
  /** Milliseconds */
  at: number;
  sender: 'visitor' | 'agent';
  name: string | null;
  text: string;
}

/** A conversation of another chat that is to be stored. */
export interface PastChat {
  /** The same whenever the conversation is imported: a site stores each key once. */
  key: string;
  visitor: Types.ObjectId;
  person: { name: string | null; email: string | null };
  messages: PastMessage[];
}

/** A stored chat with its messages. */
export interface ImportedChat {
  chat: ChatDoc;
  messages: MessageDoc[];
}

const IMPORTED_TAG = 'imported';
/** Messages of one command. */
const BATCH = 200;
/** Ids are so old that they are behind the checkpoints of the reconciler, which does not take the messages for new ones. */
const IDS_OLDER_MS = HOUR_MS;

/** @returns the chats that imports have stored under these keys, by key */
export async function importedChats(site: Types.ObjectId, keys: string[]): Promise<Map<string, ChatDoc>> {
  const chats = await ChatModel.find({ site, importKey: { $in: keys } }).lean<ChatDoc[]>();
  return new Map(chats.map((chat) => [chat.importKey ?? '', chat]));
}

/**
 * Stores conversations of another chat as closed chats on their own dates. Nobody is told of them: there are no events, and
 * no figures count them. Idempotent: a chat that this run has begun is completed, those of earlier runs are left out.
 * @param run the id of the import
 * @returns the chats of this run
 * @throws AppError 503, 507
 */
export async function storePastChats(site: SiteDoc, run: Types.ObjectId, past: PastChat[]): Promise<ImportedChat[]> {
  const made = past.map((one) => ({ key: one.key, ...chatOf(site, run, one) }));
  await insertAll(
    ChatModel.collection.name,
    made.map(({ chat }) => chat),
  );
  const stored = await importedChats(
    site._id,
    past.map(({ key }) => key),
  );
  // Of a run that is started again with other columns, a chat may have another length by now: it stays as it is.
  const own = made.filter(({ key, chat }) => {
    const row = stored.get(key);
    return row?.importRun?.equals(run) && row.lastSeq === chat.lastSeq;
  });
  // The row may be that of an earlier try of this run, which had read the same file.
  const chats = own.map(({ key, chat, messages }) => {
    const row = stored.get(key) ?? chat;
    return { chat: row, messages: messages.map((message) => ({ ...message, chat: row._id })) };
  });
  const messages = chats.flatMap((one) => one.messages);
  let text = 0;
  for (let from = 0; from < messages.length; from += BATCH) {
    const batch = messages.slice(from, from + BATCH);
    const refused = await insertAll(MessageModel.collection.name, batch);
    for (const [at, message] of batch.entries()) if (!refused.has(at)) text += messageBytes(message).text;
  }
  if (text > 0) await events.emit('storageGrew', { siteId: site._id.toHexString(), text, files: 0 });
  return chats;
}

/** Inserts what is not there yet. @returns the indexes of what is */
async function insertAll(insert: string, documents: object[]): Promise<Set<number>> {
  const { writeErrors } = await writeDurably({ insert, documents });
  const failed = writeErrors.find(({ code }) => code !== DUPLICATE_KEY);
  if (failed) throw failed.code === OUT_OF_DISK_SPACE ? storageFull() : unavailable();
  return new Set(writeErrors.map(({ index }) => index));
}

function chatOf(site: SiteDoc, run: Types.ObjectId, { key, visitor, person, messages: said }: PastChat): ImportedChat {
  const begun = new Date(said[0]?.at ?? 0);
  const ended = new Date(said.at(-1)?.at ?? 0);
  // Another one in each run: a chat that was deleted may still be being removed under its id.
  const _id = pastId(begun, `${run}:${key}`);
  const messages = said.map((one) => messageOf(site, _id, one));
  const seq = messages.length + 1;
  const read = { delivered: seq, read: seq };
  const chat: ChatDoc = {
    _id,
    site: site._id,
    visitor,
    status: 'closed',
    bot: false,
    visitorInfo: { ...person, userAgent: '', location: null },
    claimedBy: null,
    tags: [IMPORTED_TAG],
    rating: null,
    blocked: false,
    createdAt: begun,
    closedAt: ended,
    closedBy: null,
    turnSeq: seq,
    lastSeq: seq,
    lastMessage: previewOf(messages.at(-1)?.content ?? ''),
    lastActivity: ended,
    unread: 0,
    receipts: { visitor: read, staff: read },
    rev: 1,
    // Dashboards that were offline are not sent thousands of old chats.
    updatedAt: ended,
    importKey: key,
    importRun: run,
  };
  return { chat, messages: [...messages, closing(site, _id, seq, ended)] };
}

type Common = Pick<MessageDoc, '_id' | 'chat' | 'site' | 'seq' | 'senderKey' | 'clientId' | 'author' | 'createdAt'>;

/** A retry makes the same message again, which the unique indexes refuse. */
function common(site: SiteDoc, chat: Types.ObjectId, seq: number, createdAt: Date): Common {
  const clientId = uuidOf(`${chat}:${seq}`);
  const _id = pastId(createdAt, `${chat}:${seq}`);
  return { _id, chat, site: site._id, seq, senderKey: `i:${chat}`, clientId, author: null, createdAt };
}

function messageOf(site: SiteDoc, chat: Types.ObjectId, { seq, at, sender, name, text }: PastMessage): MessageDoc {
  const content = storedText(site, text);
  return { ...common(site, chat, seq, new Date(at)), sender, authorName: name, event: null, content };
}

/** Every closed chat ends with such a message, which exports show and a reopening continues from. */
function closing(site: SiteDoc, chat: Types.ObjectId, seq: number, at: Date): MessageDoc {
  const said = { sender: 'system', authorName: null, event: 'closed', content: 'Chat closed' } as const;
  return { ...common(site, chat, seq, at), ...said };
}

/** An id of that time, by which a visitor's chats are in order; the rest of it follows from the text. */
function pastId(at: Date, text: string): Types.ObjectId {
  const seconds = Math.floor(Math.min(at.getTime(), Date.now() - IDS_OLDER_MS) / 1000);
  const rest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return new Types.ObjectId(`${seconds.toString(16).padStart(8, '0')}${rest}`);
}
