import type { Message, Receipt, VisitorChat, VisitorThread, WidgetConfig } from 'server/contract';
import type { Outgoing } from './storage.ts';
import { createThread } from './thread.ts';

/** How far an own message has got. */
export type Progress = 'sent' | 'delivered' | 'read';

/** `lost` is shown; `starting` is the first try, which is not. */
export type Link = 'starting' | 'live' | 'lost';

/** All that the panel shows. It changes only through the functions that come with it. */
export interface State {
  config: WidgetConfig;
  /** The newest chat, open or closed. */
  chat: VisitorChat | null;
  messages: readonly Message[];
  /** Own messages that the server does not have yet. */
  pending: readonly Outgoing[];
  link: Link;
}

export type Store = ReturnType<typeof createState>;

/** Holds what is known of the conversation, and tells `onChange` after each change. */
export function createState(config: WidgetConfig, onChange: () => void) {
  const thread = createThread();
  const receipts = new Map<string, Receipt>();
  const state: State = { config, chat: null, messages: thread.messages, pending: [], link: 'starting' };

  function set(change: Partial<State>): void {
    Object.assign(state, change);
    onChange();
  }

  /** Receipts never go back: an answer may be older than what was heard meanwhile. */
  function raise(chatId: string, { delivered, read }: Receipt): void {
    const known = receipts.get(chatId) ?? { delivered: 0, read: 0 };
    receipts.set(chatId, { delivered: Math.max(known.delivered, delivered), read: Math.max(known.read, read) });
  }

  function takeChat(chat: VisitorChat | null): void {
    // A late answer may be about an earlier chat.
    if (!chat || (thread.cursor().chatId ?? chat._id) !== chat._id) return;
    raise(chat._id, chat.receipts);
    const same = state.chat?._id === chat._id ? state.chat : null;
    state.chat = { ...chat, readSeq: Math.max(chat.readSeq, same?.readSeq ?? 0) };
  }

  /** What the visitor was told in the newest chat. */
  function heard(): Message[] {
    return thread.messages.filter(({ chatId, sender }) => chatId === state.chat?._id && sender !== 'visitor');
  }

  return {
    state,
    set,
    cursor: thread.cursor,
    fits: thread.fits,
    /** Takes what the server answered as a complete stretch; gives what was new. */
    take({ chat, messages }: Pick<VisitorThread, 'chat' | 'messages'>): Message[] {
      const added = thread.add(messages);
      takeChat(chat);
      onChange();
      return added;
    },
    takeReceipts(chatId: string, receipt: Receipt): void {
      raise(chatId, receipt);
      onChange();
    },
    changeChat(chatId: string, change: Partial<VisitorChat>): void {
      if (state.chat?._id === chatId) set({ chat: { ...state.chat, ...change } });
    },
    /** Everything up to `seq` in the newest chat was on screen. */
    markRead(seq: number): void {
      if (state.chat && state.chat.readSeq < seq) set({ chat: { ...state.chat, readSeq: seq } });
    },
    /** The seq of the newest message in the newest chat that the visitor did not write, 0 if there is none. */
    lastHeard: () => heard().pop()?.seq ?? 0,
    /** How many messages to the visitor were not on screen yet. */
    unread: () => heard().filter(({ sender, seq }) => sender === 'agent' && seq > (state.chat?.readSeq ?? 0)).length,
    progressOf({ chatId, seq }: Message): Progress {
      const { delivered, read } = receipts.get(chatId) ?? { delivered: 0, read: 0 };
      if (seq <= read) return 'read';
      return seq <= delivered ? 'delivered' : 'sent';
    },
    /** Another visitor than before: nothing of the old conversation may stay. */
    forget(): void {
      thread.clear();
      receipts.clear();
      set({ chat: null });
    },
  };
}
