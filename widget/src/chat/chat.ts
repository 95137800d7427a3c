import type * as Commands from '../commands/commands.ts';
import type { Call, Chat, Frame } from '../frame.ts';
import type { Desk, Ground } from './desk.ts';
import { useKit } from './kit.ts';
import { speak } from './language.ts';
import { createOutbox } from './outbox.ts';
import { createFetch, type LoadPart } from './parts.ts';
import { createState } from './state.ts';
import { createStorage } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** How soon the line to the server is fetched again when that failed. */
const RETRY_MS = 5_000;

/** Wires the chat together. It draws nothing and asks nothing until it is opened or has a conversation to go on with. */
export async function start(frame: Frame, load: LoadPart): Promise<Chat> {
  useKit(frame.kit);
  const wishes = [frame.options.language, document.documentElement.lang, ...navigator.languages];
  const language = await speak(wishes, load);
  const life = new AbortController();
  const { signal } = life;
  const storage = createStorage(frame.code);
  const store = createState(frame.config, changed);
  const outbox = createOutbox(storage, readOutbox);
  const fetch = createFetch(load);
  const shared = { frame, language, store, storage, outbox, fetch, signal, forget, restart };
  const ground: Ground = { ...shared, told: {}, live: null };
  const panel = createPanel(ground);
  const desk: Desk = Object.assign(ground, { panel });
  let begun = false;
  let telling: Promise<typeof Commands | null> | null = null;

  function changed(): void {
    panel.render();
    desk.live?.report();
  }

  function readOutbox(): void {
    store.set({ pending: storage.outgoing() });
    if (store.state.pending.length) void goLive();
    desk.live?.post();
  }

  /** Nothing of the visitor stays on this device. */
  function forget(): void {
    frame.close();
    storage.wipe();
    restart();
  }

  function restart(): void {
    life.abort();
    frame.restart();
  }

  async function goLive(): Promise<void> {
    if (begun) return;
    begun = true;
    try {
      const { startLive } = await fetch('live');
      // Who the page says to be there opens the session, not somebody without a name.
      await telling;
      if (!signal.aborted) desk.live = startLive(desk, readOutbox);
    } catch {
      begun = false;
      store.set({ link: 'lost' });
      setTimeout(() => signal.aborted || goLive(), RETRY_MS);
    }
  }

  storage.watchVisitor(restart, signal);
  readOutbox();
  if (storage.read('on') || frame.config.visitorPages) void goLive();

  return {
    open(focus) {
      storage.keepOpen(true);
      panel.open(focus);
      void goLive();
      desk.live?.report();
    },
    close() {
      storage.keepOpen(false);
      return panel.close();
    },
    async tell(calls) {
      telling = fetch('commands').catch(() => null);
      const part = await telling;
      // One that starts the chat anew leaves the rest to the next chat.
      while (part && calls.length > 0 && !signal.aborted) part.runCommand(desk, ...(calls.shift() as Call));
      return part !== null;
    },
    destroy() {
      life.abort();
      dropStyles(frame.root);
      desk.live?.stop();
      panel.remove();
    },
  };
}

/** The next chat brings its own; the launcher's, which came first, stays. */
function dropStyles(root: ShadowRoot): void {
  if (root.adoptedStyleSheets) root.adoptedStyleSheets = root.adoptedStyleSheets.slice(0, 1);
  for (const sheet of root.querySelectorAll('style ~ style')) sheet.remove();
}
