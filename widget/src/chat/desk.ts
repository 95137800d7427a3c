import type { Frame } from '../frame.ts';
import type { MoreWords } from '../languages/more.ts';
import type { Live } from '../live/live.ts';
import type { Told } from '../live/session.ts';
import type { Language } from './language.ts';
import type { Outbox } from './outbox.ts';
import type { Fetch } from './parts.ts';
import type { Store } from './state.ts';
import type { Storage } from './storage.ts';
import type { Panel } from './view/panel.ts';

/** What all of the chat shares, and the panel is drawn from. */
export interface Ground {
  frame: Frame;
  language: Language;
  store: Store;
  storage: Storage;
  outbox: Outbox;
  fetch: Fetch;
  /** Ends when the chat is taken off the page. */
  signal: AbortSignal;
  /** What the page and the visitor said, until the server knows. */
  told: Told;
  /** What goes to the server; null until that part is there. */
  live: Live | null;
  /** Forgets the visitor on this device. */
  forget(): void;
  /** Starts the chat anew; what was not told to this one yet is told to the next. */
  restart(): void;
}

/** What the parts of the chat share: who works at it finds everything here. */
export interface Desk extends Ground {
  panel: Panel;
}

/** What a part that draws something is started with. */
export interface Workplace extends Desk {
  words: MoreWords;
}
