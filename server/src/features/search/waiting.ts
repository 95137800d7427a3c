import type { ChatDoc, MessageDoc } from '#features/chats';

/** Texts of all chats together that may wait, and chats. */
const WAITING_MAX = 20_000;
/** So many do not wait longer. */
const ENOUGH = WAITING_MAX / 2;
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

/** The chats that have texts not written yet. */
export interface Waiting {
  /** Adds a message of a chat, or only its visitor's name. If there is no room it does nothing: the reconciler will find it. */
  add(chat: ChatDoc, message?: MessageDoc): void;
  get(chatId: string): ChatWithTexts | undefined;
  /** Replaces a waiting message by its changed state. */
  replace(message: MessageDoc): void;
  /** Removes a batch of chats, those that have waited longest. @returns the batch; empty: none waits */
  take(): ChatWithTexts[];
  /** Returns a batch whose write failed, to be written again. */
  putBack(batch: ChatWithTexts[]): void;
  /** How many chats wait. */
  size(): number;
  /** Whether there will soon be no room. */
  isFull(): boolean;
}

/** Collects the texts of all chats until they are written together. */
export function createWaiting(): Waiting {
  const chats = new Map<string, ChatWithTexts>();
  let texts = 0;

  return {
    add(chat, message) {
      if (texts >= WAITING_MAX || chats.size >= WAITING_MAX) return;
      const id = chat._id.toHexString();
      const { _id, site, visitorInfo } = chat;
      const waiting = chats.get(id) ?? { chat: _id, site, messages: [], person: visitorInfo };
      chats.set(id, waiting);
      waiting.person = visitorInfo;
      if (!message) return;
      waiting.messages.push(message);
      texts++;
    },

    get: (chatId) => chats.get(chatId),

    replace(message) {
      const waiting = chats.get(message.chat.toHexString());
      const at = waiting?.messages.findIndex(({ _id }) => _id.equals(message._id)) ?? -1;
      if (waiting && at >= 0) waiting.messages[at] = message;
    },

    take() {
      const batch: ChatWithTexts[] = [];
      let size = 0;
      for (const [id, waiting] of chats) {
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
        chats.set(id, after ? { ...after, messages: [...before.messages, ...after.messages] } : before);
        texts += before.messages.length;
      }
    },

    size: () => chats.size,
    isFull: () => texts >= ENOUGH || chats.size >= ENOUGH,
  };
}
