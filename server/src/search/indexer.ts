import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { bus } from '../bus.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { forgetChat, MarkModel } from './model.ts';
import { createPostings, type Entry } from './postings.ts';

/** New messages are collected this long, so that a burst is written at once. */
const INDEX_DELAY_MS = 100;
const BATCH = 200;
/** More than this waiting, and the rest is read from the store once there is time. */
const PENDING_MAX = 20_000;
/** Chats whose visitors' names and e-mails are remembered, so that they are not looked up with each message. */
const PERSONS_MAX = 10_000;
const MARK = 'search';
const MARK_EVERY_MS = 10_000;
/** How far behind the mark a start begins again: other clocks, and messages that were on their way. */
const MARK_OVERLAP_MS = 60_000;

/** The background work that keeps the search index. */
export interface Indexer {
  /** Writes what is waiting, and ends. */
  stop(): Promise<void>;
}

/**
 * Keeps the index up with the messages, after their acknowledgement. What a crash or a burst leaves out is read again
 * from the mark on; without a mark (a first start, or somebody removed it) everything is.
 */
export function startIndexer(delayMs = INDEX_DELAY_MS): Indexer {
  const stopping = new AbortController();
  const pending: Entry[] = [];
  const persons = new Map<string, string>();
  const write = createPostings();
  let behind = true;
  let markedAt = 0;
  let running: Promise<void> | undefined;

  function wake(): void {
    running ??= work()
      .catch((error) => {
        behind = true;
        bus.fail(error, 'search index');
      })
      .finally(() => {
        running = undefined;
      });
  }

  async function work(): Promise<void> {
    while (pending.length > 0 || behind) {
      if (pending.length < BATCH) await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      await write(pending.splice(0, BATCH));
      if (pending.length > 0) continue;
      if (behind && stopping.signal.aborted) return;
      if (behind) {
        behind = false;
        await readOn(write, stopping.signal);
      }
    }
    const now = Date.now();
    if (now - markedAt < MARK_EVERY_MS && !stopping.signal.aborted) return;
    await setMark(new Date(now));
    markedAt = now;
  }

  function add(entry: Entry): void {
    if (pending.length < PENDING_MAX) pending.push(entry);
    else behind = true;
    wake();
  }

  const stopListening = bus.stopAll([
    bus.on('messageAdded', ({ chat, message }) => {
      if (!chat.bot && message.sender !== 'system') add({ chat: chat._id, site: chat.site, texts: [message.content] });
    }),
    bus.on('chatChanged', ({ chat }) => {
      const texts = [chat.visitorInfo.name, chat.visitorInfo.email];
      const id = chat._id.toHexString();
      const person = texts.join('\n');
      if (chat.bot || chat.lastSeq === 0 || person === '\n' || persons.get(id) === person) return;
      if (persons.size >= PERSONS_MAX) persons.clear();
      persons.set(id, person);
      add({ chat: chat._id, site: chat.site, texts });
    }),
    bus.on('chatErased', ({ chatId }) => forgetChat(chatId)),
  ]);
  wake();

  return {
    async stop() {
      stopListening();
      stopping.abort();
      await running;
    },
  };
}

/** Reads the messages behind the mark, batch by batch, and moves it. */
async function readOn(write: (entries: Entry[]) => Promise<void>, signal: AbortSignal): Promise<void> {
  const mark = await MarkModel.findById(MARK).lean();
  const since = mark ? Math.max(0, mark.at.getTime() - MARK_OVERLAP_MS) : 0;
  let after = Types.ObjectId.createFromTime(Math.floor(since / 1000));
  while (!signal.aborted) {
    const messages = await MessageModel.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean<MessageDoc[]>();
    const last = messages.at(-1);
    if (!last) return;
    await write(await entriesOf(messages));
    after = last._id;
    await setMark(after.getTimestamp());
  }
}

async function setMark(at: Date): Promise<void> {
  await MarkModel.updateOne({ _id: MARK }, { $max: { at } }, { upsert: true });
}

async function entriesOf(messages: MessageDoc[]): Promise<Entry[]> {
  const ids = [...new Set(messages.map(({ chat }) => chat.toHexString()))];
  const chats = await ChatModel.find({ _id: { $in: ids }, bot: false }).lean<ChatDoc[]>();
  const chatOf = new Map(chats.map((chat) => [chat._id.toHexString(), chat]));
  return messages.flatMap((message) => {
    const chat = chatOf.get(message.chat.toHexString());
    if (!chat || message.sender === 'system') return [];
    const { name, email } = chat.visitorInfo;
    return { chat: chat._id, site: chat.site, texts: [message.content, name, email] };
  });
}
