import type { WidgetConfig } from 'server/contract';
import type { ParleyEvents as Events, ParleyApi, ParleySettings } from './parley.d.ts';

/** Emits one of the events that the page can listen to, with its detail if it has one. */
export type Emit = <E extends keyof Events>(
  event: E,
  ...detail: Events[E] extends undefined ? [] : [Events[E]]
) => void;

/** Where the widget's server is, and which site's widget it is. */
export interface Endpoint {
  origin: string;
  code: string;
  /** The base address of this widget's REST calls. */
  api: string;
}

/** `ParleySettings` and the script tag's data attributes, which are texts. They override the site's settings. */
export type Options = { [Name in keyof Omit<ParleySettings, 'siteId'>]: ParleySettings[Name] | string };

/** DOM helpers of the loader. The chat uses the same ones, so that a page loads them once. */
export type DomHelpers = typeof import('./dom.ts');

/** What the loader gives to the chat: the interface between the two files that a page loads. */
export interface Host extends Endpoint {
  dom: DomHelpers;
  config: WidgetConfig;
  /** The page has chosen another language: the config with the site's texts in it, or the last one where that cannot be loaded. */
  fresh?: Promise<Pick<Host, 'config'>>;
  options: Options;
  /** The widget's shadow root, for style sheets. */
  root: ShadowRoot;
  /** The element that holds the launcher and the panel. */
  container: HTMLElement;
  /** The launcher. */
  button: HTMLButtonElement;
  emit: Emit;
  /** Draws the launcher with a new config. */
  restyle(config: WidgetConfig): void;
  /** Opens the panel as the page's own `Parley.open()` does. @param focus whether the composer gets the focus */
  open(focus: boolean): void;
  /** Closes the panel as the page's own `Parley.close()` does. */
  close(): void;
  /** Starts the chat again, open if it was: in another language, or for another visitor. @param focus as in `open` */
  restart(focus: boolean): void;
  /** Takes the whole widget off the page. */
  end(): void;
}

/** The page's calls that the launcher answers. */
export type LauncherCommands = Pick<ParleyApi, 'open' | 'close' | 'toggle' | 'show' | 'hide'>;

/** The page's calls that the chat answers; its code is loaded for them. */
export type ChatCommands = Pick<
  ParleyApi,
  | 'sendMessage'
  | 'prefill'
  | 'identify'
  | 'setAttributes'
  | 'setPage'
  | 'setLanguage'
  | 'setTheme'
  | 'openArticle'
  | 'logout'
>;

/** All calls that the page can make, before or after the widget is there. */
export type Calls = LauncherCommands & ChatCommands;

/** One queued call for the chat. */
export type Call = [name: keyof ChatCommands, args: unknown[]];

/** The lazily loaded chat, as the loader knows it. */
export interface Chat {
  open(focus: boolean): void;
  /** @returns whether there was an open panel to close */
  close(): boolean;
  /** Takes calls off this list and runs them. @returns false where the code for it could not be loaded */
  run(calls: Call[]): Promise<boolean>;
  destroy(): void;
}

/** What `widget/chat-*.js` exports. */
export interface ChatModule {
  startChat(host: Host): Promise<Chat>;
}
