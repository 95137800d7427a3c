import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { connectStore } from './parley.js';

const BATCH = 2_000;
/** The time between two chats: a thousand chats a day. */
export const CHAT_EVERY_MS = 86_400;
const SAID = [
  'Hello, where is my order? It was to arrive last week, and I have heard nothing since.',
  'I am sorry to hear that. May I have the number of your order, please?',
  'It is 4711. I would like to have it before the weekend, if that is possible at all.',
  'Thank you. I see it: the parcel left our house on Monday and is with the carrier now.',
  'Great, thanks a lot! 👍 Дякую, ありがとう, شكرا',
  'You are welcome. Have a nice day!',
];

/**
 * Inserts closed chats with a few messages each into the store of a running Parley, in order of time, the last one at `lastAt`.
 * It writes to the store's own socket, because sending them would take too long.
 * @param say the text of a message, by its index in the chat
 */
export async function seedChats(
  dataDir,
  { site, user, chats, lastAt, messagesEach = SAID.length, say = (i) => SAID[i % SAID.length] },
) {
  const client = await connectStore(dataDir);
  const db = client.db();
  for (let from = 0; from < chats; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, chats - from) }, (_, i) =>
      chatAt(new Date(lastAt - (chats - 1 - from - i) * CHAT_EVERY_MS), {
        siteId: site,
        userId: user,
        messagesEach,
        say,
      }),
    );
    await db.collection('chats').insertMany(batch.map(({ chat }) => chat));
    for (const messages of slices(batch.flatMap(({ messages }) => messages)))
      await db.collection('messages').insertMany(messages);
  }
  await client.close();
}

function chatAt(at, { siteId, userId, messagesEach, say }) {
  const said = Array.from({ length: messagesEach }, (_, i) => say(i));
  const [site, claimedBy] = [siteId, userId].map((id) => new mongoose.Types.ObjectId(id));
  const seconds = Math.floor(at.getTime() / 1000);
  const id = () =>
    mongoose.Types.ObjectId.createFromHexString(
      seconds.toString(16).padStart(8, '0') + new mongoose.Types.ObjectId().toHexString().slice(8),
    );
  const [chat, visitor] = [id(), id()];
  const receipts = { visitor: { delivered: 0, read: 0 }, staff: { delivered: 0, read: 0 } };
  const person = { name: `Visitor ${seconds}`, email: `visitor${seconds}@example.com`, userAgent: '', location: null };
  return {
    chat: {
      _id: chat,
      site,
      visitor,
      status: 'closed',
      bot: false,
      visitorInfo: person,
      claimedBy,
      tags: ['order'],
      rating: null,
      blocked: false,
      createdAt: at,
      closedAt: at,
      closedBy: claimedBy,
      lastSeq: said.length,
      lastMessage: said.at(-1),
      lastActivity: at,
      unread: 0,
      receipts,
      rev: 1,
      updatedAt: at,
    },
    messages: said.map((content, i) => ({
      _id: id(),
      chat,
      site,
      seq: i + 1,
      clientId: randomUUID(),
      content,
      event: null,
      createdAt: at,
      ...(i % 2 === 0
        ? { sender: 'visitor', senderKey: `v:${visitor}`, author: null, authorName: person.name }
        : { sender: 'agent', senderKey: `u:${userId}`, author: claimedBy, authorName: 'Ana Ruiz' }),
    })),
  };
}

function slices(all) {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(i * BATCH, (i + 1) * BATCH));
}
