import type { QueryFilter, UpdateQuery } from 'mongoose';
import { batched } from '../batch.ts';
import { OUT_OF_DISK_SPACE, storageFull, unavailable } from '../http/errors.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, recentChats, TOUCHED } from './model.ts';

/** As the connection has it for all other writes: on the disk of most members before the answer. */
const DURABLE = { w: 'majority', j: true } as const;
const DUPLICATE_KEY = 11_000;
/** Under load: the message has been seen by then, and its sender has been answered. */
const ROWS_EVERY_MS = 10;

interface WriteAnswer {
  /** How many documents it was about. */
  n: number;
  writeErrors: { index: number; code: number }[];
}

/** A chat's row as it was read, and as it is to be. */
interface RowChange {
  before: ChatDoc;
  after: ChatDoc;
}

/** What each message changes of its chat, and what an answer or a close takes away. */
const SET = ['lastSeq', 'lastMessage', 'lastActivity', 'unread', 'rev'] as const;
const TAKEN = ['waitingSince', 'assignedAt', 'assignedUntil', 'handedBy', 'passedBy'] as const;

/**
 * Inserts a message, durably, together with all others that come at the same time.
 * @returns whether it is stored: a unique index may have refused it
 */
export const insertMessage = batched(async (messages: MessageDoc[]) => {
  const refused = new Set<MessageDoc | undefined>();
  const { writeErrors } = await write({ insert: MessageModel.collection.name, documents: messages });
  for (const { index, code } of writeErrors) {
    if (code !== DUPLICATE_KEY) throw code === OUT_OF_DISK_SPACE ? storageFull() : unavailable();
    refused.add(messages[index]);
  }
  return (message) => !refused.has(message);
});

/**
 * Writes the rows of chats (one for each chat at most), where nothing has changed them meanwhile.
 * @returns the chat as it is then; null: it is not what it was before
 */
export const writeRow = batched(async (steps: RowChange[]) => {
  let areWritten = false;
  try {
    const { n } = await write({ update: ChatModel.collection.name, updates: steps.map(updateOf) });
    areWritten = n === steps.length;
  } finally {
    // Where the answer is lost, it may be written all the same.
    for (const { before, after } of steps) recentChats.replace(before, areWritten ? after : null);
  }
  if (areWritten) return ({ after }) => after;
  const ids = steps.map(({ before }) => before._id);
  const chats = await ChatModel.collection.find<ChatDoc>({ _id: { $in: ids } }).toArray();
  const found = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return ({ after }) => {
    const chat = found.get(after._id.toHexString());
    return chat?.lastSeq === after.lastSeq ? chat : null;
  };
}, ROWS_EVERY_MS);

/** Every change that a member can make raises `rev`: a row made of an older one is not written. */
function updateOf({ before, after }: RowChange): { q: QueryFilter<ChatDoc>; u: UpdateQuery<ChatDoc> } {
  const { _id, rev, lastSeq } = before;
  const { waitingSince, receipts } = after;
  const gone = TAKEN.filter((name) => before[name] !== undefined && after[name] === undefined);
  return {
    q: { _id, rev, lastSeq },
    u: {
      $set: {
        ...Object.fromEntries(SET.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]])),
        ...(waitingSince && waitingSince !== before.waitingSince && { waitingSince }),
        ...(receipts.staff !== before.receipts.staff && { 'receipts.staff': receipts.staff }),
      },
      ...TOUCHED,
      ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, 1])) }),
    },
  };
}

/** Straight to the driver: models take longer over each document than the store does. */
async function write(command: object): Promise<WriteAnswer> {
  const { db } = MessageModel.db;
  if (!db) throw unavailable();
  const options = { ordered: false, writeConcern: DURABLE };
  const { n, writeErrors = [] } = await db.command({ ...command, ...options }, { ignoreUndefined: true });
  return { n, writeErrors };
}
