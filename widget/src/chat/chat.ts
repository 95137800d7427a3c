import type { Call, Chat, Host } from '../host.ts';
import type { BaseContext, ChatContext, ImportPart, Parts } from './context.ts';
import { useDomHelpers } from './dom-helpers.ts';
import { chooseLanguage } from './language.ts';
import { createOutbox } from './outbox.ts';
import { createPartLoader } from './parts.ts';
import { createState } from './state.ts';
import { createStorage } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** How soon the part with the connection is loaded again after a failure. */
const RETRY_MS = 5_000;

/** Wires the chat together. It connects only when it is opened, or when there is a conversation to continue. */
export async function start(host: Host, load: ImportPart): Promise<Chat> {
  useDomHelpers(host.dom);
  const wishes = [host.options.language, document.documentElement.lang, ...navigator.languages];
  const language = await chooseLanguage(wishes, load);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const storage = createStorage(host.code);
  const store = createState(host.config, changed);
  const outbox = createOutbox(storage, readOutbox);
  const loadPart = createPartLoader(load);
  const shared = { host, language, store, storage, outbox, loadPart, signal, forget, restart };
  const base: BaseContext = { ...shared, unsent: {}, live: null };
  const panel = createPanel(base);
  const context: ChatContext = Object.assign(base, { panel });
  let begun = false;
  let running: Promise<Parts['commands'] | null> | null = null;

  function changed(): void {
    // What was under way when the visitor was forgotten must not be remembered.
    if (signal.aborted) return;
    panel.render();
    context.live?.report();
    connect();
  }

  /** Connects to send, and for a panel that is open, unless a new visitor only reads a greeting there. */
  function connect(): void {
    const { config, pending, uploads } = store.state;
    const isRead = !panel.node.hidden && !(config.greetings && storage.read('greeting'));
    if (isRead || pending.length || uploads.length) void goLive();
  }

  function readOutbox(): void {
    store.set({ pending: storage.outgoing() });
    context.live?.post();
  }

  /** Deletes what this device knows of the visitor. */
  function forget(): void {
    host.close();
    storage.wipe();
    restart();
  }

  function restart(): void {
    lifetime.abort();
    host.restart();
  }

  async function goLive(): Promise<void> {
    if (begun) return;
    begun = true;
    try {
      const { startLive } = await loadPart('live');
      // A call of `identify()` must run first, so that the session is opened for that visitor.
      await running;
      if (!signal.aborted) context.live = startLive(context, readOutbox);
    } catch {
      store.set({ connection: 'lost' });
      begun = false;
      setTimeout(() => signal.aborted || goLive(), RETRY_MS);
    }
  }

  storage.watchVisitor(restart, signal);
  readOutbox();
  if (storage.read('on') || host.config.visitorPages) void goLive();

  return {
    open(focus) {
      storage.keepOpen(true);
      panel.open(focus);
      connect();
      context.live?.report();
    },
    close() {
      storage.keepOpen(false);
      return panel.close();
    },
    async run(calls) {
      running = loadPart('commands').catch(() => null);
      const part = await running;
      // A call that restarts the chat aborts the signal: the rest is for the next chat.
      while (part && calls.length > 0 && !signal.aborted) part.runCommand(context, ...(calls.shift() as Call));
      return part !== null;
    },
    destroy() {
      lifetime.abort();
      dropStyles(host.root);
      context.live?.stop();
      panel.remove();
    },
  };
}

/** Removes the chat's style sheets, which the next chat adds again. The launcher's, the first one, stays. */
function dropStyles(root: ShadowRoot): void {
  if (root.adoptedStyleSheets) root.adoptedStyleSheets = root.adoptedStyleSheets.slice(0, 1);
  for (const sheet of root.querySelectorAll('style ~ style')) sheet.remove();
}
