import type { ChatReceipt, Message, Receipt, VisitorChat, VisitorThread } from 'server/contract';
import type { Store } from '../chat/state.ts';

/** Messages in order and their chat, as the server sends them: with a stored message, or as the answer to `sync`. */
export type MessageRange = Pick<VisitorThread, 'chat' | 'messages'> & Partial<VisitorThread>;

export type Conversation = ReturnType<typeof createConversation>;

/**
 * Keeps the conversation in the state: each message once, in the order of `seq`, chat by chat and without a gap, and no receipt or
 * status goes backwards.
 */
export function createConversation(store: Store) {
  const { state, set } = store;
  const messages: Message[] = [];
  const receipts = new Map<string, Receipt>();
  /** The newest `seq` of each chat. */
  const heads = new Map<string, number>();
  /** All changes of messages up to this one are held. */
  let lastEdit = 0;
  set({ messages, receipts });
  const newest = () => messages[messages.length - 1];

  /** Receipts only rise: an answer may be older than an event that came meanwhile. */
  function raise({ chatId, delivered, read }: ChatReceipt): void {
    const known = receipts.get(chatId) ?? { delivered: 0, read: 0 };
    receipts.set(chatId, { delivered: Math.max(known.delivered, delivered), read: Math.max(known.read, read) });
  }

  function takeChat(chat: VisitorChat | null): void {
    // A late answer may belong to an earlier chat.
    if (!chat || (newest()?.chatId ?? chat._id) !== chat._id) return;
    raise({ chatId: chat._id, ...chat.receipts });
    const same = state.chat?._id === chat._id ? state.chat : null;
    state.chat = { ...chat, readSeq: Math.max(chat.readSeq, same?.readSeq ?? 0) };
  }

  /** Replaces a message that is held by a newer state of it. */
  function change(message: Message): void {
    const held = messages.find(({ _id }) => _id === message._id);
    // A message that was never changed has no number, and every comparison with it is false.
    if (held && !((held.edit as number) >= (message.edit as number))) Object.assign(held, message);
  }

  return {
    /** Where the next `sync` continues. */
    cursor(): { chatId?: string; afterSeq?: number; afterEdit?: number } {
      const last = newest();
      return last ? { chatId: last.chatId, afterSeq: last.seq, afterEdit: lastEdit } : {};
    },
    /** Whether a message that came alone is known or the next one. If not, a message before it is missing. */
    isNext(message: Message): boolean {
      const head = heads.get(message.chatId);
      if (head !== undefined) return message.seq <= head + 1;
      // A new chat starts only after the last one was closed, and closing is a message of its own.
      return message.seq === 1 && (!messages.length || newest()?.event === 'closed');
    },
    /**
     * Adds messages that continue what is held without a gap, and changes of those held. Without `lastEdit`, a change before those
     * may have been missed. @returns those that are new
     */
    take({ chat, messages: range, receipts = [], edited = [], lastEdit: upTo = lastEdit }: MessageRange): Message[] {
      const added = range.filter(({ chatId, seq }) => {
        const isNew = seq > (heads.get(chatId) ?? 0);
        if (isNew) heads.set(chatId, seq);
        return isNew;
      });
      messages.push(...added);
      lastEdit = upTo;
      edited.forEach(change);
      receipts.forEach(raise);
      takeChat(chat);
      set(added.some(({ sender }) => sender === 'agent') ? { typing: '' } : {});
      return added;
    },
    /** Adds messages that stand before all that is held. `more`: there are still earlier ones. */
    takeEarlier({ messages: range, more, receipts }: VisitorThread): void {
      messages.unshift(...range);
      for (const { chatId, seq } of range) heads.set(chatId, Math.max(seq, heads.get(chatId) ?? 0));
      receipts.forEach(raise);
      set({ earlier: more && range.length > 0 });
    },
    takeReceipt(receipt: ChatReceipt): void {
      raise(receipt);
      set({});
    },
    changeChat(chatId: string, change: Partial<VisitorChat>): void {
      if (state.chat?._id === chatId) set({ chat: { ...state.chat, ...change } });
    },
    /** Everything up to `seq` in the newest chat has been on screen. */
    markRead(seq: number): void {
      if (state.chat && state.chat.readSeq < seq) set({ chat: { ...state.chat, readSeq: seq } });
    },
    /** The seq of the newest message in the newest chat that the visitor did not write; 0: there is none. */
    lastReceived(): number {
      const received = messages.filter(({ chatId, sender }) => chatId === state.chat?._id && sender !== 'visitor');
      return received.pop()?.seq ?? 0;
    },
    /** Drops everything: the visitor is another one now, or the chat was deleted. */
    forget(): void {
      messages.length = lastEdit = 0;
      heads.clear();
      receipts.clear();
      set({ chat: null, earlier: true, typing: '' });
    },
  };
}
