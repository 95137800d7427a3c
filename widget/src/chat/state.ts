import type { AssistantText, Message, Receipt, VisitorChat, VisitorMessageBody, WidgetConfig } from 'server/contract';
import type { OutgoingMessage } from './storage.ts';

/** The delivery state of a stored message of the visitor. */
export type Progress = 'sent' | 'delivered' | 'read';

/** The state of the connection. `lost` is shown to the visitor, `starting` (the first try) is not. */
export type ConnectionState = 'starting' | 'live' | 'lost';

/** A file that is being sent. It is kept in memory only, for this page view. */
export interface Upload extends OutgoingMessage {
  file: File;
  /** How much of it is sent, with a button to cancel it; the part that sends it draws it. */
  bar: HTMLElement;
}

/** The greeting on show, which the visitor has not answered. */
export interface ShownGreeting {
  id: string;
  text: string;
  /** The visitor wants neither this greeting nor another one. */
  close(): void;
}

/** Whether a message was written for the visitor, by a person or by the assistant. */
export const isAnswer = ({ sender, event }: Message) => sender !== 'visitor' && !event;

/** Everything that the panel shows. `live/conversation.ts` writes the messages, receipts and chat. */
export interface State {
  config: WidgetConfig;
  /** The newest chat, open or closed. */
  chat: VisitorChat | null;
  messages: readonly Message[];
  /** What staff have received and read, by chat. */
  receipts: ReadonlyMap<string, Receipt>;
  /** The visitor's messages that are not stored yet. */
  pending: readonly OutgoingMessage[];
  uploads: readonly Upload[];
  connection: ConnectionState;
  /** The name of the agent who is typing; '': nobody is. */
  typing: string;
  /** Whether the server may have messages before those that are held. */
  earlier: boolean;
  /** The visitor's address; '': not known. */
  email: string;
  /** What a form need not ask any more: kinds and labels of fields. */
  answered: readonly string[];
  /** The page has identified the visitor: until the server replies, nobody knows what a form has to ask for. */
  identifying: boolean;
  /** The team has blocked this visitor. */
  blocked: boolean;
  greeting: ShownGreeting | null;
  /** The article from which the visitor asks, whether a person is to answer, and the chosen department: for the message that begins a chat. */
  begins?: Pick<VisitorMessageBody, 'article' | 'person' | 'department'>;
  /** Buttons stand in place of the field, or will as soon as they are there; falsy: the visitor writes. */
  taps?: WidgetConfig['buttons'] | boolean;
  /** The address or the id of an article that is to be opened. */
  openArticle?: string;
  /** Sentences of the assistant that its part has not drawn yet. */
  sentences?: readonly AssistantText[];
  /** The page's own title, while another one announces a message. */
  ownTitle?: string;
}

export type Store = ReturnType<typeof createState>;

/** Holds the state, and calls `onChange` after each change. */
export function createState(config: WidgetConfig, onChange: () => void) {
  const state: State = {
    config,
    taps: config.buttons,
    chat: null,
    messages: [],
    receipts: new Map(),
    pending: [],
    uploads: [],
    connection: 'starting',
    typing: '',
    earlier: true,
    email: '',
    answered: [],
    identifying: false,
    blocked: false,
    greeting: null,
  };

  return {
    state,
    set(change: Partial<State>): void {
      Object.assign(state, change);
      onChange();
    },
    /** The number of answers in the newest chat that were not on screen yet. */
    unread(): number {
      const { chat, messages } = state;
      return messages.filter(
        ({ chatId, seq, sender, event }) =>
          chatId === chat?._id && seq > chat.readSeq && !event && sender !== 'visitor',
      ).length;
    },
    progressOf({ chatId, seq }: Message): Progress {
      const { delivered, read } = state.receipts.get(chatId) ?? { delivered: 0, read: 0 };
      if (seq <= read) return 'read';
      return seq <= delivered ? 'delivered' : 'sent';
    },
  };
}
