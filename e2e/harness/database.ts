import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient, ObjectId } from 'mongodb';
import type { Parley } from './parley.ts';
import type { Shop } from './shop.ts';

const BATCH = 2_000;
const MINUTE_MS = 60_000;

/** Runs a task on the database of a running Parley, over the socket of its store. */
export async function inDatabase<Result>(
  { parley }: { parley: Pick<Parley, 'dataDir'> },
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const folder = join(parley.dataDir, 'store');
  const socket = (await readdir(folder)).find((name) => name.endsWith('.sock')) ?? '';
  const client = new MongoClient(`mongodb://${encodeURIComponent(join(folder, socket))}/?directConnection=true`);
  try {
    return await work(client.db('parley'));
  } finally {
    await client.close();
  }
}

/** Inserts this many closed chats, a minute apart, the newest first. Sending them would take too long. */
export async function addChats(shop: Shop, chats: number): Promise<void> {
  const now = Date.now();
  const all = Array.from({ length: chats }, (_, i) => chatOf(shop, `Visitor ${i + 1}`, new Date(now - i * MINUTE_MS)));
  await inDatabase(shop, async (db) => {
    for (let from = 0; from < chats; from += BATCH)
      await db.collection('chats').insertMany(all.slice(from, from + BATCH));
  });
}

function chatOf({ site, owner }: Shop, name: string, at: Date) {
  const claimer = new ObjectId(owner.user._id);
  const receipt = { delivered: 1, read: 1 };
  return {
    site: new ObjectId(site._id),
    visitor: new ObjectId(),
    status: 'closed',
    bot: false,
    claimedBy: claimer,
    visitorInfo: { name, email: null, userAgent: '', location: null },
    tags: [],
    rating: null,
    blocked: false,
    createdAt: at,
    closedAt: at,
    closedBy: claimer,
    lastSeq: 1,
    lastMessage: `Words of ${name}`,
    lastActivity: at,
    unread: 0,
    receipts: { visitor: receipt, staff: receipt },
    rev: 1,
    updatedAt: at,
  };
}

/** Inserts this many messages after a chat's first one. Sending them would take too long. */
export async function addMessages({ parley, site }: Shop, chatId: string, messages: number): Promise<void> {
  const chat = new ObjectId(chatId);
  const rows = Array.from({ length: messages }, (_, i) => ({
    chat,
    site: new ObjectId(site._id),
    seq: i + 2,
    senderKey: `v:${chatId}`,
    clientId: `filler-${i}`,
    sender: 'visitor',
    author: null,
    authorName: null,
    event: null,
    content: `Filler ${i + 2}`,
    createdAt: new Date(),
  }));
  await inDatabase({ parley }, (db) => db.collection('messages').insertMany(rows));
}
