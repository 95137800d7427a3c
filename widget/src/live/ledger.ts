import type { ChatReceipt, Message, Receipt, VisitorChat, VisitorThread } from 'server/contract';
import type { Store } from '../chat/state.ts';
import { createThread } from './thread.ts';

/** What the server says with a message, or answers to `sync`. */
export type Stretch = Pick<VisitorThread, 'chat' | 'messages'> & Partial<Pick<VisitorThread, 'receipts'>>;

export type Ledger = ReturnType<typeof createLedger>;

/** Keeps the conversation in the state as the server tells it: nothing twice, nothing out of order, nothing backwards. */
export function createLedger(store: Store) {
  const { state, set } = store;
  const thread = createThread();
  const receipts = new Map<string, Receipt>();
  set({ messages: thread.messages, receipts });

  /** Receipts never go back: an answer may be older than what was heard meanwhile. */
  function raise({ chatId, delivered, read }: ChatReceipt): void {
    const known = receipts.get(chatId) ?? { delivered: 0, read: 0 };
    receipts.set(chatId, { delivered: Math.max(known.delivered, delivered), read: Math.max(known.read, read) });
  }

  function takeChat(chat: VisitorChat | null): void {
    // A late answer may be about an earlier chat.
    if (!chat || (thread.cursor().chatId ?? chat._id) !== chat._id) return;
    raise({ chatId: chat._id, ...chat.receipts });
    const same = state.chat?._id === chat._id ? state.chat : null;
    state.chat = { ...chat, readSeq: Math.max(chat.readSeq, same?.readSeq ?? 0) };
  }

  return {
    cursor: thread.cursor,
    fits: thread.fits,
    /** Takes what the server answered as a complete stretch; gives what was new. */
    take({ chat, messages, receipts = [] }: Stretch): Message[] {
      const added = thread.add(messages);
      receipts.forEach(raise);
      takeChat(chat);
      set(added.some(({ sender }) => sender === 'agent') ? { typing: '' } : {});
      return added;
    },
    /** Takes what stands before all that is held; `more`: and there is still more. */
    takeEarlier({ messages, more, receipts }: VisitorThread): void {
      thread.prepend(messages);
      receipts.forEach(raise);
      set({ earlier: more && messages.length > 0 });
    },
    takeReceipt(receipt: ChatReceipt): void {
      raise(receipt);
      set({});
    },
    changeChat(chatId: string, change: Partial<VisitorChat>): void {
      if (state.chat?._id === chatId) set({ chat: { ...state.chat, ...change } });
    },
    /** Everything up to `seq` in the newest chat was on screen. */
    markRead(seq: number): void {
      if (state.chat && state.chat.readSeq < seq) set({ chat: { ...state.chat, readSeq: seq } });
    },
    /** The seq of the newest message in the newest chat that the visitor did not write, 0 if there is none. */
    lastHeard(): number {
      const heard = thread.messages.filter(({ chatId, sender }) => chatId === state.chat?._id && sender !== 'visitor');
      return heard.pop()?.seq ?? 0;
    },
    /** Another visitor than before: nothing of the old conversation may stay. */
    forget(): void {
      thread.clear();
      receipts.clear();
      set({ chat: null, earlier: true, typing: '' });
    },
  };
}
