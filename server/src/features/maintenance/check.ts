import type { mongo } from 'mongoose';
import { collectionsOf } from './source.ts';

/** The result of a check. */
export interface CheckReport {
  collections: number;
  documents: number;
  chats: number;
  /** One sentence for each problem. */
  problems: string[];
}

interface Chat {
  _id: mongo.ObjectId;
  lastSeq: number;
}

interface Message {
  chat: mongo.ObjectId;
  site: mongo.ObjectId;
  seq: number;
}

/** The messages of one chat: how many there are, and the first `seq` that is missing. */
interface Numbered {
  chat: mongo.ObjectId;
  count: number;
  hole: number | null;
}

/**
 * Checks every collection (documents, index entries and counts agree) and every chat: its messages are numbered from 1
 * without a gap, up to the chat's `lastSeq`. Other processes may write meanwhile, so a chat that looks wrong is read a
 * second time before it is reported.
 */
export async function checkDatabase(db: mongo.Db): Promise<CheckReport> {
  const found: CheckReport = { collections: 0, documents: 0, chats: 0, problems: [] };
  for (const { name } of await collectionsOf(db)) {
    const { valid, nrecords, errors } = await db.command({ validate: name });
    found.collections++;
    // Databases that only speak MongoDB's protocol, and `mongos`, do not say how many they have looked at.
    found.documents += Number(nrecords ?? (await db.collection(name).countDocuments()));
    if (!valid) found.problems.push(...[errors].flat().map((error) => `${name}: ${error}`));
  }
  for await (const chat of suspects(db, found)) {
    const problem = await problemOf(db, chat);
    if (problem) found.problems.push(`chat ${chat.toHexString()}: ${problem}`);
  }
  return found;
}

/**
 * The chats that look wrong. It is a merge join: chats and messages are read side by side, both in the order of chat ids.
 */
async function* suspects(db: mongo.Db, found: CheckReport): AsyncGenerator<mongo.ObjectId> {
  const all = numberedOf(db);
  let next = await all.next();
  for await (const { _id, lastSeq } of chatsOf(db)) {
    found.chats++;
    for (; !next.done && order(next.value.chat, _id) < 0; next = await all.next()) yield next.value.chat;
    const sameChat = !next.done && order(next.value.chat, _id) === 0 ? next.value : null;
    if (sameChat) next = await all.next();
    if (sameChat?.hole || (sameChat?.count ?? 0) < lastSeq) yield _id;
  }
  for (; !next.done; next = await all.next()) yield next.value.chat;
}

const chatsOf = (db: mongo.Db) =>
  db
    .collection<Chat>('chats')
    .find({}, { projection: { lastSeq: 1 } })
    .sort({ _id: 1 });

const order = (a: mongo.ObjectId, b: mongo.ObjectId) => Buffer.compare(a.id, b.id);

async function* numberedOf(db: mongo.Db): AsyncGenerator<Numbered> {
  const projection = { _id: 0, chat: 1, seq: 1 };
  let last: Numbered | undefined;
  for await (const { chat, seq } of db
    .collection<Message>('messages')
    .find({}, { projection })
    .sort({ chat: 1, seq: 1 })) {
    if (last && !last.chat.equals(chat)) yield last;
    if (!last?.chat.equals(chat)) last = { chat, count: 0, hole: null };
    last.count++;
    if (seq !== last.count) last.hole ??= last.count;
  }
  if (last) yield last;
}

/**
 * What is wrong with a chat now, read again on its own.
 * @returns null if nothing is wrong, or the chat is being deleted
 */
async function problemOf(db: mongo.Db, chat: mongo.ObjectId): Promise<string | null> {
  const find = () => db.collection<Chat>('chats').findOne({ _id: chat });
  const problems = await find();
  const messages = await db.collection<Message>('messages').find({ chat }).sort({ seq: 1 }).toArray();
  const gone = `the chat does not exist, but ${messages.length} messages of it do`;
  if (!problems) return (await isLeftOver(db, chat, messages[0])) ? gone : null;
  const hole = messages.findIndex(({ seq }, i) => seq !== i + 1);
  if (hole < 0 && messages.length >= problems.lastSeq) return null;
  if (!(await find())) return null;
  return hole >= 0
    ? `message ${hole + 1} is missing`
    : `the chat counts ${problems.lastSeq} messages, but has ${messages.length}`;
}

/** Whether the messages of a missing chat are orphans: no pending deletion, of the chat or of its site, will remove them. */
async function isLeftOver(db: mongo.Db, chat: mongo.ObjectId, message: Message | undefined): Promise<boolean> {
  if (!message || (await db.collection('removals').findOne({ _id: chat }))) return false;
  return (await db.collection('sites').findOne({ _id: message.site, deletedAt: { $exists: false } })) !== null;
}
