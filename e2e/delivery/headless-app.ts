/** The delivery state of a message, as its sender sees it. */
export type Progress = 'sending' | 'failed' | 'sent' | 'delivered' | 'read';

/** A message as a page holds it. */
export interface HeldMessage {
  chatId: string;
  seq: number;
  clientId: string;
  content: string;
}

/** A message of this person, with the state that the page shows. */
export interface OwnMessage {
  content: string;
  progress: Progress;
}

/** The widget or the dashboard without its screen: what it shows, and what its user can do. */
export interface HeadlessApp {
  /** All messages held, chat by chat, each in order. */
  held(): HeldMessage[];
  /** This person's messages, stored or not. */
  own(): OwnMessage[];
  /** The number of messages in the outbox, without failed ones. */
  waiting(): number;
  /** The texts of failed messages. */
  failed(): string[];
  /** Whether its socket is connected. */
  connected(): boolean;
}

/** The widget. */
export interface VisitorApp extends HeadlessApp {
  send(content: string): void;
  /** The newest chat; null: none yet. */
  chat(): { _id: string; isOpen: boolean } | null;
  close(): Promise<void>;
}

/** The dashboard with some chats open. */
export interface AgentApp extends HeadlessApp {
  /** Sets which threads are on the screen. */
  show(chatIds: readonly string[]): void;
  /** @returns false if the page has not loaded its user yet, and shows no composer */
  send(chatId: string, content: string): boolean;
  /** Resolves when the server has answered, or the call has failed. */
  claim(chatId: string): Promise<void>;
  close(chatId: string): Promise<void>;
}

/** What a page's script is started with; `changed` is called after every change. */
export interface PageStart {
  origin: string;
  changed(): void;
}
