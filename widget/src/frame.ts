import type { Message, WidgetConfig } from 'server/contract';
import type { addStyles, el, icon, mark } from './dom.ts';
import type { call, isGone } from './http.ts';

/** What a page may listen to, and what its listeners are given. */
export interface Events {
  ready: undefined;
  open: undefined;
  close: undefined;
  unread: number;
  'message:sent': Message;
  'message:received': Message;
  error: { code: string; message: string };
}

export type Emit = <E extends keyof Events>(event: E, detail: Events[E]) => void;

/** Which widget of which instance this is. */
export interface Place {
  origin: string;
  code: string;
  /** Where the calls of this widget begin. */
  api: string;
}

/** Helpers that the loader and the chat both use. */
export interface Kit {
  addStyles: typeof addStyles;
  call: typeof call;
  el: typeof el;
  icon: typeof icon;
  isGone: typeof isGone;
  mark: typeof mark;
}

/** What the loader hands to the chat: the seam between the two files that a page loads. */
export interface Frame extends Place {
  kit: Kit;
  config: WidgetConfig;
  /** The widget's shadow root, for style sheets. */
  root: ShadowRoot;
  /** Where the chat draws. */
  stage: HTMLElement;
  /** The launcher. */
  button: HTMLButtonElement;
  emit: Emit;
  /** Draws the launcher anew: the site was restyled. */
  restyle(config: WidgetConfig): void;
  /** Closes the panel as the page's own `Parley.close()` does. */
  close(): void;
  /** Takes the whole widget off the page. */
  end(): void;
}

/** The lazily loaded chat as the loader knows it. */
export interface Chat {
  open(focus: boolean): void;
  /** Says whether there was an open panel to close. */
  close(): boolean;
  destroy(): void;
}

/** What `widget/chat-*.js` exports. */
export interface ChatModule {
  startChat(frame: Frame): Chat;
}
