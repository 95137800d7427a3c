import type { Chat, Frame } from '../frame.ts';
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
  const ground: Ground = { frame, language, store, storage, outbox, fetch, signal, told: {}, live: null, forget };
  const panel = createPanel(ground);
  const desk: Desk = Object.assign(ground, { panel });
  let begun = false;

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
    frame.restart();
  }

  async function goLive(): Promise<void> {
    if (begun) return;
    begun = true;
    try {
      const { startLive } = await fetch('live');
      if (!signal.aborted) desk.live = startLive(desk, readOutbox);
    } catch {
      begun = false;
      store.set({ link: 'lost' });
      setTimeout(() => signal.aborted || goLive(), RETRY_MS);
    }
  }

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
    async tell(name, args) {
      const { createCommands } = await fetch('commands');
      const run = createCommands(desk)[name] as (...given: unknown[]) => void;
      run(...args);
    },
    destroy() {
      life.abort();
      desk.live?.stop();
      panel.remove();
    },
  };
}
