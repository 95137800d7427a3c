import type { WidgetConfig } from 'server/contract';
import type { addStyles, el, icon, mark } from './dom.ts';
import type { ParleyEvents as Events, ParleyApi } from './parley.d.ts';

/** Tells the page. */
export type Emit = <E extends keyof Events>(event: E, detail: Events[E]) => void;

/** Which widget of which instance this is. */
export interface Place {
  origin: string;
  code: string;
  /** Where the calls of this widget begin. */
  api: string;
}

/** What the page wants otherwise than the site's settings: the script tag's data attributes by their names. */
export type Options = Partial<
  Record<'position' | 'color' | 'language' | 'theme' | 'open' | 'hidden' | 'zIndex' | 'offset', string>
>;

/** Helpers that the loader and the chat both use. */
export interface Kit {
  addStyles: typeof addStyles;
  el: typeof el;
  icon: typeof icon;
  mark: typeof mark;
}

/** What the loader hands to the chat: the seam between the two files that a page loads. */
export interface Frame extends Place {
  kit: Kit;
  config: WidgetConfig;
  options: Options;
  /** The widget's shadow root, for style sheets. */
  root: ShadowRoot;
  /** Where the chat draws. */
  stage: HTMLElement;
  /** The launcher. */
  button: HTMLButtonElement;
  emit: Emit;
  /** Draws the launcher anew: the site was restyled. */
  restyle(config: WidgetConfig): void;
  /** Opens the panel as the page's own `Parley.open()` does. @param focus whether the visitor's typing goes there */
  open(focus: boolean): void;
  /** Closes the panel as the page's own `Parley.close()` does. */
  close(): void;
  /** Starts the chat anew, open if it was: in another language, or for another visitor. */
  restart(): void;
  /** Takes the whole widget off the page. */
  end(): void;
}

/** What the page can tell the chat, whose code is fetched for it. */
export type ChatCommands = Pick<
  ParleyApi,
  'sendMessage' | 'prefill' | 'identify' | 'setAttributes' | 'setPage' | 'setLanguage' | 'setTheme' | 'logout'
>;

export type Call = [name: keyof ChatCommands, args: unknown[]];

/** The lazily loaded chat as the loader knows it. */
export interface Chat {
  open(focus: boolean): void;
  /** Says whether there was an open panel to close. */
  close(): boolean;
  /** Takes calls off this list and runs them; false: the code for it could not be fetched. */
  tell(calls: Call[]): Promise<boolean>;
  destroy(): void;
}

/** What `widget/chat-*.js` exports. */
export interface ChatModule {
  startChat(frame: Frame): Promise<Chat>;
}
