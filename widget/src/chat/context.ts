import type { Message, SessionBody, VisitorChat, VisitorRequests } from 'server/contract';
import type { AssistantTexts } from '../assistant/languages.ts';
import type { ChatCommands, Endpoint, Host } from '../host.ts';
import type { PartTexts } from '../languages/en.ts';
import type { OpenTransport } from '../live/protocol.ts';
import type { Language, LanguageName, OtherLanguage, Texts } from './language.ts';
import type { Store } from './state.ts';
import type { OutgoingMessage, Storage } from './storage.ts';
import type { Row } from './view/rows.ts';

// The types that the chat and its lazily loaded parts both need. They stand below both, so that no file imports one that imports it.

/** What the page and the visitor told about the visitor, and the server does not know yet. `page` stays: the page's own word wins. */
export type SessionUpdate = Pick<SessionBody, 'visitor' | 'identity' | 'attributes' | 'page'>;

type Ask<Event extends keyof VisitorRequests> = Parameters<VisitorRequests[Event]>[0];
type Answer<Event extends keyof VisitorRequests> = Parameters<Parameters<VisitorRequests[Event]>[1]>[0];

/** Asks the server over the socket. Always answers, with a retryable failure where the server did not. */
export type SendRequest = <Event extends keyof VisitorRequests>(
  event: Event,
  ask: Ask<Event>,
) => Promise<Answer<Event>>;

/** The connection to the server, as the chat and its parts see it. */
export interface Live {
  request: SendRequest;
  /** Sends what is in `context.unsent`, if there is anything. */
  sendUpdate(): Promise<void>;
  /** Sends the address of the current page, if it changed. */
  reportPage(): void;
  changeChat(chatId: string, change: Partial<VisitorChat>): void;
  /** Sends the messages in the outbox. */
  post(): void;
  /** Tells the server what the visitor has received and read, and the page what is new. Call after every change. */
  report(): void;
  /** Tells the team that the visitor types, and where the site shows it, what. @param text '': nothing any more */
  reportTyping(text: string): void;
  /** Adds a message that the server has stored, and the chat it belongs to. */
  takeSent(message: Message, chat: VisitorChat): Promise<void>;
  /** Loads the messages before the oldest one that is held. */
  loadEarlier(): Promise<void>;
  stop(): void;
}

/** The field that the visitor writes in, and what stands around it. */
export interface Composer {
  node: HTMLElement;
  input: HTMLTextAreaElement;
  /**
   * What the form above the field asks for, called before a message is sent. @returns the answers that go with the message, if any;
   * null: one is missing, and the message waits. Null where there is no form
   */
  ask: (() => OutgoingMessage['from'] | null) | null;
  /** Whether the visitor writes or has written in it: nothing may take its place. */
  isInUse(): boolean;
  send(): void;
  focus(): void;
  /** Sets the height of the field to that of its text. A hidden field cannot be measured: call it again when it is shown. */
  fit(): void;
  /** Shows a notice below the conversation. @param retry makes it a button */
  say(notice: string, retry?: () => void): void;
  render(): void;
}

/** The chat's panel above the launcher. */
export interface Panel {
  node: HTMLElement;
  composer: Composer;
  open(focus: boolean): void;
  /** @returns whether it was open */
  close(): boolean;
  /** Whether the newest message is on screen, in a page that has the focus. */
  isWatching(): boolean;
  /** Draws the current state. */
  render(): void;
  /** Removes everything but the launcher. */
  remove(): void;
}

/** What the whole chat shares, and the panel is created with. */
export interface BaseContext {
  host: Host;
  language: Language;
  store: Store;
  storage: Storage;
  loadPart: LoadPart;
  /** Aborted when the chat is taken off the page. */
  signal: AbortSignal;
  unsent: SessionUpdate;
  /** Null until the part `live` is loaded. */
  live: Live | null;
  /** Deletes what this device knows of the visitor, and restarts. */
  forget(): void;
  /** Starts the chat again; calls of the page that have not run yet run in the next one. */
  restart(): void;
}

/** The context once the panel exists. */
export interface ChatContext extends BaseContext {
  panel: Panel;
}

/** What a part that draws something is started with. */
export interface PartContext extends ChatContext {
  texts: PartTexts;
}

/**
 * `ask`: what the site asks for before the chat. `leave`: the same with an address to answer to, while nobody is online. `mail`: only
 * the address, in an open chat that waits for a person; no message waits for it.
 */
export type FormKind = 'ask' | 'leave' | 'mail';

/** The part that sends and shows files, shows what happened to a message, and makes links. */
interface FilesPart {
  send(files: readonly File[]): void;
  /** Draws a row whose content is not what was drawn first: a file, a message that its author has formatted or changed, or links. */
  show(text: HTMLElement, row: Row): Promise<void>;
  /** Draws what can be done about a message that is not sent: send it again, unless that cannot help, or delete it. */
  explain(actions: HTMLElement, row: Row): void;
}

/** The texts of each language: those of the chat itself, and those of its parts. English is in the chat itself. */
type LanguageParts = Record<OtherLanguage, { texts: Texts }> &
  Record<`more-${LanguageName}`, { more: PartTexts }> &
  Record<`assistant-${LanguageName}`, { texts: AssistantTexts }>;

/** The parts of the chat that are loaded when they are needed, with what each exports. */
export interface Parts extends LanguageParts {
  inline: { placeInPage(context: ChatContext): void };
  live: { startLive(context: ChatContext): Live };
  polling: { pollingOf(endpoint: Endpoint): OpenTransport };
  commands: {
    runCommand(context: ChatContext, name: keyof ChatCommands, args: unknown[]): void;
    restartWhenLeft(context: ChatContext): void;
  };
  form: { start(context: PartContext): { show(kind: FormKind | null): void } };
  emoji: { start(context: PartContext): { toggle(opener: HTMLElement): void } };
  files: { start(context: PartContext): FilesPart };
  formatting: { formatted(context: PartContext, message: Message): Node[] };
  changes: { start(context: PartContext): { toggle(opener: HTMLElement, clientId: string): void; render(): void } };
  menu: { start(context: PartContext): { toggle(opener: HTMLElement): void } };
  rating: { start(context: PartContext): { render(): void } };
  erasure: { start(context: PartContext): () => void };
  teaser: { start(context: PartContext): { render(): void } };
  greetings: { start(context: PartContext): void };
  articles: { start(context: PartContext): { render(): void } };
  assistant: {
    start(context: PartContext): Promise<{ render(): void }>;
    formatted(context: PartContext, message: Message): Promise<Node[]>;
  };
  opening: { start(context: ChatContext, texts: PartTexts): () => void };
  departments: { start(context: ChatContext, texts: PartTexts): () => void };
  flows: { start(context: ChatContext, texts: PartTexts): () => void };
  typing: { start(context: ChatContext, texts: PartTexts): () => void };
  alert: { alertVisitor(message: Message, context: ChatContext, texts: PartTexts): void };
}

/** Imports the script of a part. `attempt` grows after a failure, because browsers remember an address that failed. */
export type ImportPart = <Name extends keyof Parts>(name: Name, attempt: number) => Promise<Parts[Name]>;

/** Loads a part. A failure is not cached: the next call tries again. */
export type LoadPart = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;

/** The parts that draw something. */
export type DrawingPart =
  | 'form'
  | 'emoji'
  | 'files'
  | 'changes'
  | 'menu'
  | 'rating'
  | 'teaser'
  | 'articles'
  | 'assistant';

/**
 * Loads a part that draws, starts it once, and uses it. Where it cannot be loaded, a notice says so, which tries again when it is
 * clicked. @param isDue if not, only a part that has been started is used @returns whether it was loaded
 */
export type StartPart = <Name extends DrawingPart>(
  name: Name,
  use: (part: Awaited<ReturnType<Parts[Name]['start']>>) => void,
  isDue?: boolean,
) => Promise<boolean>;
