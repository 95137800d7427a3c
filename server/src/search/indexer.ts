import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { events } from '../events.ts';
import { type ChatText, ProgressModel } from './model.ts';
import { arePostingsLeft, expectPostings, movePostings } from './postings.ts';
import { createWaiting, type WaitingChat } from './waiting.ts';
import { wordsOf } from './words.ts';
import { addWords, forgetChat } from './writer.ts';

/** The interval at which waiting chats are checked for being due. */
const LOOK_EVERY_MS = 100;
/** The pause after a write that failed. */
const RETRY_MS = 2_000;
/** Splitting texts into words gives the event loop a turn after this long. */
const SLICE_MS = 5;
/** Messages that one step of catching up reads. */
const BATCH = 200;
/** Each step of moving an older index is followed by a pause as long as the step, but no longer than this. */
const REST_MAX_MS = 500;
/**
 * The cache's size, beyond which it is cleared: chats whose visitors' names and e-mails are known to be indexed, so that
 * not every message looks them up.
 */
const PERSONS_MAX = 10_000;
const MARK = 'search';
const MARK_EVERY_MS = 10_000;
/** A start resumes this long before the mark, since clocks differ and messages may have been on their way. */
const MARK_OVERLAP_MS = 60_000;

/** The background work that keeps the search index up to date. */
export interface Indexer {
  /** Writes what is waiting, then stops. */
  stop(): Promise<void>;
}

/**
 * Keeps the index up to date with the messages: after they are acknowledged, and once their chat is quiet for a moment.
 * What a crash or a burst left out is read again from the mark on, and without a mark (a first start, or one that was
 * removed) everything is. The index of an older Parley is moved at the same time.
 */
export function startIndexer(): Indexer {
  const stopping = new AbortController();
  const waiting = createWaiting();
  const reader = createReader();
  /** The visitor's name and e-mail that are indexed, by chat. */
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

  /** Does one step of the remaining background work. @returns whether there was anything to do */
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

/**
 * Splits texts into words, a time slice at a time.
 * @param persons the visitors' names and e-mails that are indexed already
 */
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

/** Reads the messages after the mark in batches, and advances the mark. */
function createReader() {
  let behind = true;
  let after: Types.ObjectId | undefined;
  let last: MessageDoc | undefined;
  let isLast = false;
  let hasMissed = false;

  return {
    isBehind: () => behind,

    /** Messages that did not fit into memory have to be read from the store, too. */
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

    /** Call it when the batch that `next` returned is written. */
    async done(): Promise<void> {
      if (last) await setMark(last._id.getTimestamp());
      after = isLast ? undefined : last?._id;
      behind = !isLast || hasMissed;
    },
  };
}

async function markedMessage(): Promise<Types.ObjectId> {
  const mark = await ProgressModel.findById(MARK).lean();
  const since = mark ? Math.max(0, mark.at.getTime() - MARK_OVERLAP_MS) : 0;
  return Types.ObjectId.createFromTime(Math.floor(since / 1000));
}

async function setMark(at: Date): Promise<void> {
  await ProgressModel.updateOne({ _id: MARK }, { $max: { at } }, { upsert: true });
}

async function chatsOf(messages: MessageDoc[]): Promise<WaitingChat[]> {
  const ids = [...new Set(messages.map(({ chat }) => chat.toHexString()))];
  const chats = await ChatModel.find({ _id: { $in: ids }, bot: false }).lean<ChatDoc[]>();
  return chats.map(({ _id, site, visitorInfo }) => {
    const own = messages.filter(({ chat, sender }) => sender !== 'system' && chat.equals(_id));
    return { chat: _id, site, texts: own.map(({ content }) => content), person: visitorInfo, since: 0, due: 0 };
  });
}
