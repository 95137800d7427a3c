import type { UpdateQuery } from 'mongoose';
import { batched } from '../batch.ts';
import { unavailable } from '../http/errors.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, recentChats } from './model.ts';

/** As the connection has it for all other writes: on the disk of most members before the answer. */
const DURABLE = { w: 'majority', j: true } as const;
const DUPLICATE_KEY = 11_000;

interface WriteAnswer {
  writeErrors?: { index: number; code: number }[];
}

/** One message brought into its chat's summary. */
interface Step {
  message: MessageDoc;
  update: UpdateQuery<ChatDoc>;
}

/**
 * Inserts a message, durably, together with all others that come at the same time.
 * @returns whether it is stored: a unique index may have refused it
 */
export const insertMessage = batched(async (messages: MessageDoc[]) => {
  const refused = new Set<MessageDoc | undefined>();
  const { writeErrors = [] } = await write({ insert: MessageModel.collection.name, documents: messages });
  for (const { index, code } of writeErrors) {
    if (code !== DUPLICATE_KEY) throw unavailable();
    refused.add(messages[index]);
  }
  return (message) => !refused.has(message);
});

/**
 * Brings messages into the summaries of their chats (one for each chat at most), where nothing is missing before them.
 * @returns the chat as it is then; null: it has not come up to this message, or gone past it
 */
export const stepChat = batched(async (steps: Step[]) => {
  const ids = steps.map(({ message }) => message.chat);
  const updates = steps.map(({ message: { chat, seq }, update }) => ({
    q: { _id: chat, lastSeq: seq - 1 },
    u: update,
  }));
  await write({ update: ChatModel.collection.name, updates });
  const hexes = ids.map((id) => id.toHexString());
  for (const id of hexes) recentChats.forget(id);
  const keep = recentChats.reading(hexes);
  const chats = await ChatModel.collection.find<ChatDoc>({ _id: { $in: ids } }).toArray();
  keep(chats);
  const found = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return ({ message }) => {
    const chat = found.get(message.chat.toHexString());
    return chat?.lastSeq === message.seq ? chat : null;
  };
});

/** Straight to the driver: models take longer over each document than the store does. */
async function write(command: object): Promise<WriteAnswer> {
  const { db } = MessageModel.db;
  if (!db) throw unavailable();
  return db.command({ ...command, ordered: false, writeConcern: DURABLE }, { ignoreUndefined: true });
}
