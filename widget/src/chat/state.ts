import type { Message, Receipt, VisitorChat, WidgetConfig } from 'server/contract';
import type { OutgoingMessage } from './storage.ts';

/** How far an own message has got. */
export type Progress = 'sent' | 'delivered' | 'read';

/** `lost` is shown; `starting` is the first try, which is not. */
export type ConnectionState = 'starting' | 'live' | 'lost';

/** A file on its way to the server; another page view knows nothing of it. */
export interface Upload extends OutgoingMessage {
  file: File;
}

/** All that the panel shows. The conversation in it is kept by the live part. */
export interface State {
  config: WidgetConfig;
  /** The newest chat, open or closed. */
  chat: VisitorChat | null;
  messages: readonly Message[];
  /** How far staff have got, by chat. */
  receipts: ReadonlyMap<string, Receipt>;
  /** Own messages that the server does not have yet. */
  pending: readonly OutgoingMessage[];
  uploads: readonly Upload[];
  link: ConnectionState;
  /** Who writes an answer right now; '' where nobody does. */
  typing: string;
  /** Whether there may be earlier messages than those held. */
  earlier: boolean;
  /** Where answers are mailed to; '' where that is not known. */
  email: string;
  /** The team takes no messages of this visitor. */
  blocked: boolean;
}

export type Store = ReturnType<typeof createState>;

/** Holds what is known of the conversation, and tells `onChange` after each change. */
export function createState(config: WidgetConfig, onChange: () => void) {
  const state: State = {
    config,
    chat: null,
    messages: [],
    receipts: new Map(),
    pending: [],
    uploads: [],
    link: 'starting',
    typing: '',
    earlier: true,
    email: '',
    blocked: false,
  };

  return {
    state,
    set(change: Partial<State>): void {
      Object.assign(state, change);
      onChange();
    },
    /** How many messages to the visitor were not on screen yet. */
    unread(): number {
      const { chat, messages } = state;
      return messages.filter(
        ({ chatId, sender, seq }) => sender === 'agent' && chatId === chat?._id && seq > chat.readSeq,
      ).length;
    },
    progressOf({ chatId, seq }: Message): Progress {
      const { delivered, read } = state.receipts.get(chatId) ?? { delivered: 0, read: 0 };
      if (seq <= read) return 'read';
      return seq <= delivered ? 'delivered' : 'sent';
    },
  };
}
