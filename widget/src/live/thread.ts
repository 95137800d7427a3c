import type { Message } from 'server/contract';

/** The visitor's conversation as far as this page holds it: chat by chat, each dense by `seq`. */
export interface Thread {
  readonly messages: readonly Message[];
  /** Adds a stretch that the server answered as complete; gives what was new. */
  add(stretch: readonly Message[]): Message[];
  /** Puts a stretch before all that is held. */
  prepend(stretch: readonly Message[]): void;
  /** Whether a message that came alone is known or the next one; if not, something before it is missing. */
  fits(message: Message): boolean;
  /** Where a `sync` goes on. */
  cursor(): { chatId?: string; afterSeq?: number };
  clear(): void;
}

export function createThread(): Thread {
  const messages: Message[] = [];
  const heads = new Map<string, number>();
  const newest = () => messages[messages.length - 1];

  return {
    messages,
    add(stretch) {
      const added = stretch.filter((message) => {
        const fresh = message.seq > (heads.get(message.chatId) ?? 0);
        if (fresh) heads.set(message.chatId, message.seq);
        return fresh;
      });
      messages.push(...added);
      return added;
    },
    prepend(stretch) {
      messages.unshift(...stretch);
      for (const { chatId, seq } of stretch) heads.set(chatId, Math.max(seq, heads.get(chatId) ?? 0));
    },
    fits(message) {
      const head = heads.get(message.chatId);
      if (head !== undefined) return message.seq <= head + 1;
      // A new chat begins only after the last one was closed, and the closing has its own place in the thread.
      return message.seq === 1 && (!messages.length || newest()?.event === 'closed');
    },
    cursor() {
      const last = newest();
      return last ? { chatId: last.chatId, afterSeq: last.seq } : {};
    },
    clear() {
      messages.length = 0;
      heads.clear();
    },
  };
}
