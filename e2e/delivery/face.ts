/** How far an own message has got, as its sender sees it. */
export type Progress = 'sending' | 'failed' | 'sent' | 'delivered' | 'read';

/** A message as a page holds it. */
export interface Held {
  chatId: string;
  seq: number;
  clientId: string;
  content: string;
}

/** An own message with the state that its sender sees. */
export interface Own {
  content: string;
  progress: Progress;
}

/** What a page without a screen shows, and what can be done on it. */
export interface Face {
  /** All messages held, chat by chat, each in order. */
  held(): Held[];
  /** Own messages, held ones and those on their way. */
  own(): Own[];
  /** How many messages are on their way, failed ones not counted. */
  waiting(): number;
  /** What could not be sent. */
  failed(): string[];
  /** Whether its socket is connected. */
  connected(): boolean;
}

/** The widget. */
export interface VisitorFace extends Face {
  send(content: string): void;
  /** The newest chat; null: none yet. */
  chat(): { _id: string; isOpen: boolean } | null;
  close(): Promise<void>;
}

/** The dashboard with some chats open. */
export interface AgentFace extends Face {
  /** Which threads are on the screen. */
  show(chatIds: readonly string[]): void;
  /** False: the page does not know yet who is writing, and shows nowhere to write. */
  send(chatId: string, content: string): boolean;
  /** Resolves when the server has answered, or will not. */
  claim(chatId: string): Promise<void>;
  close(chatId: string): Promise<void>;
}

/** What a page's script is started with; `changed` is called after every change. */
export interface PageStart {
  origin: string;
  changed(): void;
}
