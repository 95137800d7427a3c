// The types of Parley's JavaScript API, for pages written in TypeScript: put this file among your sources.

export interface ParleyMessage {
  _id: string;
  chatId: string;
  /** The number of the message in its chat, from 1. */
  seq: number;
  clientId: string;
  sender: 'visitor' | 'agent' | 'assistant' | 'system';
  senderName: string | null;
  senderAvatar: string | null;
  type: 'text' | 'file' | 'system';
  /** The text, or the name of the file. */
  content: string;
  /** The same as `content`. */
  text: string;
  file: { url: string; name: string; size: number; mime: string; width?: number; height?: number } | null;
  event: 'closed' | 'reopened' | 'handed_over' | null;
  /** The greeting of the website that this first message of a chat answers. */
  greeting?: string;
  /** What an answer of the assistant is made of. */
  sources?: { title: string; article: string; lang: string; url: string | null }[];
  /** ISO 8601, UTC */
  timestamp: string;
  /** Set once the author has changed it; grows with each change. */
  edit?: number;
  editedAt?: string;
  /** The text is empty then. */
  deletedAt?: string;
}

/** The events, and what their listeners get. */
export interface ParleyEvents {
  ready: undefined;
  open: undefined;
  close: undefined;
  /** The number of answers that the visitor has not seen. */
  unread: number;
  'message:sent': ParleyMessage;
  'message:received': ParleyMessage;
  'chat:started': { chatId: string };
  'chat:closed': { chatId: string };
  availability: { online: boolean };
  error: { code: string; message: string };
}

/** What your website knows about its visitor, by name; null removes an attribute. */
export type ParleyAttributes = Record<string, string | number | boolean | null | undefined>;

/** Who the visitor is. All other properties are attributes. */
export interface ParleyIdentity extends ParleyAttributes {
  /** Your own id of the person. */
  id?: string | number;
  name?: string;
  email?: string;
  phone?: string;
  /** A JWT, signed by your server with the site's identity secret, that verifies who the visitor is. */
  token?: string;
}

/** `window.Parley` once the script has run. */
export interface ParleyApi {
  open(): void;
  close(): void;
  toggle(): void;
  show(): void;
  hide(): void;
  isOpen(): boolean;
  sendMessage(text: string): void;
  prefill(text: string): void;
  identify(who: ParleyIdentity): void;
  setAttributes(attributes: ParleyAttributes): void;
  setPage(page: { url: string; title?: string }): void;
  setLanguage(tag: string): void;
  setTheme(theme: 'light' | 'dark' | 'auto'): void;
  /** Opens a help article in the panel. @param slug the last part of its address */
  openArticle(slug: string): void;
  logout(): void;
  destroy(): void;
  /** @returns a function that removes the listener */
  on<Event extends keyof ParleyEvents>(event: Event, listener: (detail: ParleyEvents[Event]) => void): () => void;
  once<Event extends keyof ParleyEvents>(event: Event, listener: (detail: ParleyEvents[Event]) => void): () => void;
  off<Event extends keyof ParleyEvents>(event: Event, listener: (detail: ParleyEvents[Event]) => void): void;
  /** Runs calls in the form that also works before the script has run: `Parley.push(['open'])`. */
  push(...calls: unknown[][]): void;
}

/** Settings of the page for its chat, in place of the script tag's data attributes. */
export interface ParleySettings {
  /** The widget code of your website. */
  siteId: string;
  position?: 'left' | 'right';
  /** A colour such as `#0b3d2e`. */
  color?: string;
  /** A language tag such as `pt-BR`. */
  language?: string;
  theme?: 'light' | 'dark' | 'auto';
  /** Opens the chat when the page loads, in wide windows, until the visitor closes it. */
  open?: boolean;
  /** Hides the launcher. */
  hidden?: boolean;
  /** A CSS selector of the element of your page that the chat stands in, always open; `body` fills the window. */
  inline?: string;
  zIndex?: number | string;
  /** Pixels from the edges of the window: `20`, or `'90 20'`. */
  offset?: number | string;
}

declare global {
  interface Window {
    /** Read once, when the script runs. */
    ParleySettings?: ParleySettings;
    /** The page's queue of calls; once the script has run, the API. */
    Parley?: ParleyApi | unknown[][];
  }
}
