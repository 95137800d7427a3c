import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { events } from '../events.ts';
import type { ChatText } from './model.ts';
import { MarkModel } from './model.ts';
import { arePostingsLeft, expectPostings, movePostings } from './postings.ts';
import { createWaiting, type WaitingChat } from './waiting.ts';
import { wordsOf } from './words.ts';
import { addWords, forgetChat } from './writer.ts';

/** Between two looks at what is due. */
const LOOK_EVERY_MS = 100;
/** After a write that failed. */
const RETRY_MS = 2_000;
/** The event loop is given back after so much of splitting texts into words. */
const SLICE_MS = 5;
/** Messages that one step of reading on takes. */
const BATCH = 200;
/** A step of moving an older index is followed by a rest as long as itself, and no longer than this. */
const REST_MAX_MS = 500;
/** Chats whose visitors' names and e-mails are remembered as written, so that they are not looked up with each message. */
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
 * Keeps the index up with the messages, after their acknowledgement and once their chat is quiet for a moment. What a
 * crash or a burst leaves out is read again from the mark on; without a mark (a first start, or somebody removed it)
 * everything is. An older Parley's index is moved beside that.
 */
export function startIndexer(): Indexer {
  const stopping = new AbortController();
  const waiting = createWaiting();
  const reader = createReader();
  /** By chat, as written. */
  const persons = new Map<string, string>();
  let markedAt = 0;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  expectPostings();

  function wake(): void {
    clearTimeout(retry);
    running ??= work()
      .catch((error) => {
        events.fail(error, 'search index');
        if (!stopping.signal.aborted) retry = setTimeout(wake, RETRY_MS).unref();
      })
      .finally(() => {
        running = undefined;
      });
  }

  async function work(): Promise<void> {
    for (;;) {
      const { aborted } = stopping.signal;
      const batch = waiting.take(aborted ? Number.POSITIVE_INFINITY : Date.now());
      if (batch.length > 0) await write(batch);
      const wasBusy = !aborted && (await workBehind());
      if (batch.length === 0 && !wasBusy) {
        if (waiting.oldest() === undefined) break;
        await pause(LOOK_EVERY_MS);
      }
      if (Date.now() - markedAt > MARK_EVERY_MS) await mark();
    }
    if (stopping.signal.aborted) await mark();
  }

  async function write(batch: WaitingChat[]): Promise<void> {
    try {
      await addWords(await textsOf(batch, persons));
    } catch (error) {
      waiting.putBack(batch);
      throw error;
    }
    if (persons.size + batch.length > PERSONS_MAX) persons.clear();
    for (const { chat, person } of batch) persons.set(chat.toHexString(), keyOf(person));
  }

  /** One step of what is left from before. @returns whether there was anything to do */
  async function workBehind(): Promise<boolean> {
    if (reader.isBehind()) {
      await addWords(await textsOf(await reader.next(), persons));
      await reader.done();
      return true;
    }
    if (!arePostingsLeft()) return false;
    const began = performance.now();
    await movePostings(addWords);
    await pause(Math.min(performance.now() - began, REST_MAX_MS));
    return true;
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  async function mark(): Promise<void> {
    if (reader.isBehind()) return;
    markedAt = Date.now();
    await setMark(new Date(waiting.oldest() ?? markedAt));
  }

  function add(chat: ChatDoc, text?: string): void {
    if (!waiting.add(chat, text)) reader.fallBehind();
    wake();
  }

  const stopListening = events.stopAll([
    events.on('messageAdded', ({ chat, message }) => {
      if (!chat.bot && message.sender !== 'system') add(chat, message.content);
    }),
    events.on('chatChanged', ({ chat }) => {
      const id = chat._id.toHexString();
      const person = keyOf(chat.visitorInfo);
      const known = waiting.get(id)?.person;
      if (chat.bot || chat.lastSeq === 0 || person === keyOf({ name: null, email: null })) return;
      if ((known ? keyOf(known) : persons.get(id)) !== person) add(chat);
    }),
    events.on('chatErased', ({ chatId }) => forgetChat(chatId)),
  ]);
  wake();

  return {
    async stop() {
      stopListening();
      stopping.abort();
      await running;
      wake();
      await running;
    },
  };
}

const keyOf = ({ name, email }: WaitingChat['person']) => `${name ?? ''}\n${email ?? ''}`;

/** Splits texts into words, a moment at a time. @param persons what is written of whom already */
async function textsOf(chats: WaitingChat[], persons: ReadonlyMap<string, string>): Promise<ChatText[]> {
  const all: ChatText[] = [];
  let began = performance.now();
  for (const { chat, site, texts, person } of chats) {
    const words = new Set<string>();
    for (const text of texts) {
      for (const word of wordsOf(text)) words.add(word);
      if (performance.now() - began < SLICE_MS) continue;
      await nextTurn();
      began = performance.now();
    }
    const isKnown = persons.get(chat.toHexString()) === keyOf(person);
    all.push({ chat, site, words, personWords: isKnown ? [] : wordsOf(person.name, person.email) });
  }
  return all;
}

/** Reads the messages behind the mark, batch by batch, and moves it. */
function createReader() {
  let behind = true;
  let after: Types.ObjectId | undefined;
  let last: MessageDoc | undefined;
  let isLast = false;
  let hasMissed = false;

  return {
    isBehind: () => behind,

    /** What is new is to be read from the store, too. */
    fallBehind(): void {
      behind = true;
      hasMissed = true;
    },

    async next(): Promise<WaitingChat[]> {
      if (!after) hasMissed = false;
      after ??= await markedMessage();
      const messages = await MessageModel.find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<MessageDoc[]>();
      last = messages.at(-1);
      isLast = messages.length < BATCH;
      return chatsOf(messages);
    },

    /** What `next` gave is written. */
    async done(): Promise<void> {
      if (last) await setMark(last._id.getTimestamp());
      after = isLast ? undefined : last?._id;
      behind = !isLast || hasMissed;
    },
  };
}

async function markedMessage(): Promise<Types.ObjectId> {
  const mark = await MarkModel.findById(MARK).lean();
  const since = mark ? Math.max(0, mark.at.getTime() - MARK_OVERLAP_MS) : 0;
  return Types.ObjectId.createFromTime(Math.floor(since / 1000));
}

async function setMark(at: Date): Promise<void> {
  await MarkModel.updateOne({ _id: MARK }, { $max: { at } }, { upsert: true });
}

async function chatsOf(messages: MessageDoc[]): Promise<WaitingChat[]> {
  const ids = [...new Set(messages.map(({ chat }) => chat.toHexString()))];
  const chats = await ChatModel.find({ _id: { $in: ids }, bot: false }).lean<ChatDoc[]>();
  return chats.map(({ _id, site, visitorInfo }) => {
    const own = messages.filter(({ chat, sender }) => sender !== 'system' && chat.equals(_id));
    return { chat: _id, site, texts: own.map(({ content }) => content), person: visitorInfo, since: 0, due: 0 };
  });
}
