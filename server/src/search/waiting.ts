import type { ChatDoc, MessageDoc } from '../chats/model.ts';

/**
 * A debounce: a chat is written once nothing was added for this long, so that messages in quick succession cost one write
 * …
 */
const QUIET_MS = 900;
/** … or once its first text has waited this long, … */
const WAIT_MAX_MS = 5_000;
/** … or once it has this many texts. */
const TEXTS_MAX = 50;
/** Texts of all chats together that may wait. */
const ALL_TEXTS_MAX = 20_000;
/** Chats written at once; fewer if they have more texts than this. */
const BATCH_CHATS = 50;
const BATCH_TEXTS = 200;

/** What is to be indexed of a chat. */
export interface ChatWithTexts {
  chat: ChatDoc['_id'];
  site: ChatDoc['site'];
  messages: Pick<MessageDoc, '_id' | 'chat' | 'content'>[];
  /** The visitor's name and e-mail, as last known. */
  person: Pick<ChatDoc['visitorInfo'], 'name' | 'email'>;
}

/** What has to be written of a chat. */
export interface WaitingChat extends ChatWithTexts {
  /** When the first text came, and when the chat is to be written, in milliseconds. */
  since: number;
  due: number;
}

/** The chats that have texts not written yet. */
export interface Waiting {
  /** Adds a message of a chat, or only its visitor's name. If there is no room it does nothing: the reconciler will find it. */
  add(chat: ChatDoc, message?: MessageDoc): void;
  get(chatId: string): WaitingChat | undefined;
  /** Replaces a waiting message by its changed state. */
  replace(message: MessageDoc): void;
  /** Removes a batch of the chats that are due. @returns the batch */
  take(now: number): WaitingChat[];
  /** Returns a batch whose write failed, to be written again. */
  putBack(batch: WaitingChat[]): void;
  /** When the first chat is to be written, in milliseconds, unless more is added to it; infinite: none waits. */
  nextDue(): number;
}

/** Collects the texts of each chat until it has been quiet for a moment: a debounce with an upper bound. */
export function createWaiting(): Waiting {
  const chats = new Map<string, WaitingChat>();
  let texts = 0;

  return {
    add(chat, message) {
      if (texts >= ALL_TEXTS_MAX || chats.size >= ALL_TEXTS_MAX) return;
      const now = Date.now();
      const id = chat._id.toHexString();
      const { _id, site, visitorInfo } = chat;
      const waiting = chats.get(id) ?? { chat: _id, site, messages: [], person: visitorInfo, since: now, due: now };
      chats.set(id, waiting);
      waiting.person = visitorInfo;
      if (message) {
        waiting.messages.push(message);
        texts++;
      }
      waiting.due = waiting.messages.length < TEXTS_MAX ? Math.min(now + QUIET_MS, waiting.since + WAIT_MAX_MS) : now;
    },

    get: (chatId) => chats.get(chatId),

    replace(message) {
      const waiting = chats.get(message.chat.toHexString());
      const at = waiting?.messages.findIndex(({ _id }) => _id.equals(message._id)) ?? -1;
      if (waiting && at >= 0) waiting.messages[at] = message;
    },

    take(now) {
      const batch: WaitingChat[] = [];
      let size = 0;
      for (const [id, waiting] of chats) {
        if (waiting.due > now) continue;
        batch.push(waiting);
        chats.delete(id);
        size += waiting.messages.length;
        if (batch.length >= BATCH_CHATS || size >= BATCH_TEXTS) break;
      }
      texts -= size;
      return batch;
    },

    putBack(batch) {
      for (const before of batch) {
        const id = before.chat.toHexString();
        const after = chats.get(id);
        chats.set(
          id,
          after ? { ...after, messages: [...before.messages, ...after.messages], since: before.since } : before,
        );
        texts += before.messages.length;
      }
    },

    nextDue: () => Math.min(...[...chats.values()].map(({ due }) => due)),
  };
}
