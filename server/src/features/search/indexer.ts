import { type ChatDoc, ChatModel, forReader, type MessageDoc, messageProjection, rowsAnnounced } from '#features/chats';
import type { SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { enqueueDelayed, inTurns, ProcessedMessages, reportLost, startDelayed } from '#platform/work';
import { type ChangedMessage, reindexChange } from './changes.ts';
import type { ChatText } from './model.ts';
import { type ChatWithTexts, createWaiting } from './waiting.ts';
import { wordsOf } from './words.ts';
import { addWords, forgetChat } from './writer.ts';

/**
 * How long words wait for those of other messages: one write of many words takes far fewer pages of the store. It ends before
 * the reconciler looks, and with whoever searches on this node.
 */
const WAIT_MS = 5_000;
/** The same with several nodes, where searches on other nodes cannot end it. */
const WAIT_FOR_OTHERS_MS = 1_000;
/** The pause after a write that failed. */
const RETRY_MS = 2_000;
/** Splitting texts into words gives the event loop a turn after this long. */
const SLICE_MS = 5;
/**
 * The cache's size, beyond which it is cleared: chats whose visitors' names and e-mails are known to be indexed, so that
 * not every message looks them up.
 */
const PERSONS_MAX = 10_000;
const NAME = 'search';

/** The messages whose words are indexed, or that have none to index. */
const finished = new ProcessedMessages();

/** The search index, which the indexer keeps. Without a checkpoint, all messages are indexed. */
export const searchIndex = messageProjection({
  name: NAME,
  first: async () => 0,
  fields: ['chat', 'sender', 'content'],
  processed: finished,
  async repair(messages) {
    reportLost(NAME, await addWords(await textsOf(await chatsOf(messages), new Map())));
  },
});

/** Writes what is waiting; null: no indexer runs. */
let flushIndexer: (() => Promise<void>) | null = null;

/** Resolves when the index has the words of every message of these sites that was acknowledged here, or after a moment. */
export async function wordsWritten(sites: SiteDoc[]): Promise<void> {
  await rowsAnnounced(sites);
  if (flushIndexer) await forReader(flushIndexer());
}

/**
 * Keeps the index up to date with the messages: some seconds after they are acknowledged, or when somebody searches.
 * What a crash or a burst left out is found by the reconciler.
 * @returns writes what is waiting, then stops
 */
export function startIndexer(): () => Promise<void> {
  const waiting = createWaiting();
  /** The visitor's name and e-mail that are indexed, by chat. */
  const persons = new Map<string, string>();
  /** Messages that their authors have changed. */
  const changed: (ChangedMessage & { done: () => void })[] = [];
  let next: Promise<void> | undefined;
  let isWriting = false;
  let retry: NodeJS.Timeout | undefined;

  function wake(ms: number): void {
    clearTimeout(retry);
    next ??= enqueueDelayed(NAME, work, ms);
  }

  async function work(): Promise<void> {
    next = undefined;
    isWriting = true;
    try {
      // What comes meanwhile waits for its own time, or under load each batch would have a few words only.
      for (let left = waiting.size(); left > 0; ) {
        const batch = waiting.take();
        await write(batch);
        left -= batch.length;
      }
      // After the batches: they may have had the words from before.
      for (let [first] = changed; first; [first] = changed) {
        await reindexChange(first);
        first.done();
        changed.shift();
      }
    } catch (error) {
      retry = setTimeout(wake, RETRY_MS, 0).unref();
      throw error;
    } finally {
      isWriting = false;
    }
  }

  async function flush(): Promise<void> {
    if (!next && !isWriting && waiting.size() === 0) return;
    wake(0);
    const written = next;
    startDelayed(NAME);
    // A failure is reported, and what is waiting is written later.
    await written?.catch(() => {});
  }

  async function write(batch: ChatWithTexts[]): Promise<void> {
    try {
      await addWords(await textsOf(batch, persons));
    } catch (error) {
      waiting.putBack(batch);
      throw error;
    }
    if (persons.size + batch.length > PERSONS_MAX) persons.clear();
    for (const { chat, person, messages } of batch) {
      persons.set(chat.toHexString(), keyOf(person));
      for (const message of messages) finished.add(message);
    }
  }

  function add(chat: ChatDoc, message?: MessageDoc): void {
    waiting.add(chat, message);
    wake(events.areOthers() ? WAIT_FOR_OTHERS_MS : WAIT_MS);
    if (waiting.isFull()) startDelayed(NAME);
  }

  const stopListening = events.stopAll([
    events.on('messageAdded', ({ chat, message }) => {
      if (chat.bot || message.sender === 'system') finished.add(message);
      else add(chat, message);
    }),
    events.on('chatChanged', ({ chat }) => {
      const id = chat._id.toHexString();
      const person = keyOf(chat.visitorInfo);
      const known = waiting.get(id)?.person;
      if (chat.bot || chat.lastSeq === 0 || person === keyOf({ name: null, email: null })) return;
      if ((known ? keyOf(known) : persons.get(id)) !== person) add(chat);
    }),
    events.everywhere('messageChanged', ({ message }) => waiting.replace(message)),
    events.on('messageChanged', ({ chat, message, before }) => {
      if (chat.bot) return;
      return new Promise<void>((done) => {
        changed.push({ chat, message, before, done });
        wake(0);
        startDelayed(NAME);
      });
    }),
    events.on('chatErased', ({ chatId }) => forgetChat(chatId)),
  ]);
  flushIndexer = flush;

  return async () => {
    stopListening();
    flushIndexer = null;
    clearTimeout(retry);
    await flush();
  };
}

/** A chat with what is to be indexed of its messages. */
type ChatWithContents = Omit<ChatWithTexts, 'messages'> & { messages: Pick<MessageDoc, 'content'>[] };

/** Indexes the messages of imported chats, which emit no events. Idempotent. */
export async function indexChats(chats: ChatWithContents[]): Promise<void> {
  await addWords(await textsOf(chats, new Map()));
}

const keyOf = ({ name, email }: ChatWithTexts['person']) => `${name ?? ''}\n${email ?? ''}`;

/**
 * Splits texts into words, a time slice at a time.
 * @param persons the visitors' names and e-mails that are indexed already
 */
async function textsOf(chats: ChatWithContents[], persons: ReadonlyMap<string, string>): Promise<ChatText[]> {
  const all: ChatText[] = [];
  const pause = inTurns(SLICE_MS);
  for (const { chat, site, messages, person } of chats) {
    const words = new Set<string>();
    for (const { content } of messages) {
      for (const word of wordsOf(content)) words.add(word);
      await pause();
    }
    const isKnown = persons.get(chat.toHexString()) === keyOf(person);
    all.push({ chat, site, words, personWords: isKnown ? [] : wordsOf(person.name, person.email) });
  }
  return all;
}

async function chatsOf(messages: Pick<MessageDoc, '_id' | 'chat' | 'sender' | 'content'>[]): Promise<ChatWithTexts[]> {
  const ids = [...new Set(messages.map(({ chat }) => chat.toHexString()))];
  const chats = await ChatModel.find({ _id: { $in: ids }, bot: false }).lean<ChatDoc[]>();
  return chats.map(({ _id, site, visitorInfo }) => {
    const own = messages.filter(({ chat, sender }) => sender !== 'system' && chat.equals(_id));
    return { chat: _id, site, messages: own, person: visitorInfo };
  });
}
