import type { Call, Chat, Host } from '../host.ts';
import type { BaseContext, ChatContext, ImportPart, Parts } from './context.ts';
import { useDomHelpers } from './dom-helpers.ts';
import { chooseLanguage } from './language.ts';
import { createOutbox } from './outbox.ts';
import { createPartLoader } from './parts.ts';
import { createState } from './state.ts';
import { createStorage } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** How soon a file without which the chat is not whole is loaded again after a failure, the first time. */
const RETRY_MS = 5_000;

/** Wires the chat together. It connects only when it is opened, or when there is a conversation to continue. */
export async function start(host: Host, load: ImportPart): Promise<Chat> {
  useDomHelpers(host.dom);
  const wishes = [host.options.language, document.documentElement.lang, ...navigator.languages];
  const loadPart = createPartLoader(load);
  const language = await chooseLanguage(wishes, loadPart);
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const storage = createStorage(host.code);
  const store = createState(host.config, changed);
  const outbox = createOutbox(storage, readOutbox);
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
    if (isRead || pending.length || uploads.length) goLive();
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
    const hadFocus = host.root.activeElement !== null;
    lifetime.abort();
    host.restart(hadFocus);
  }

  /** Runs a task until it works or the chat is over, and waits longer each time. */
  function keepTrying(task: () => Promise<unknown>, delay = RETRY_MS): void {
    task().catch(() => setTimeout(() => signal.aborted || keepTrying(task, delay * 2), delay));
  }

  function goLive(): void {
    if (begun) return;
    begun = true;
    keepTrying(async () => {
      const { startLive } = await loadPart('live').catch((error) => {
        store.set({ connection: 'lost' });
        throw error;
      });
      // A call of `identify()` must run first, so that the session is opened for that visitor.
      await running;
      if (!signal.aborted) context.live = startLive(context, readOutbox);
    });
  }

  const { missing } = language;
  if (missing)
    keepTrying(async () => {
      await loadPart(missing);
      // It starts again in the visitor's language, but not while somebody writes.
      if (host.root.activeElement) throw missing;
      restart();
    });
  storage.watchVisitor(restart, signal);
  readOutbox();
  if (storage.read('on') || host.config.visitorPages) goLive();

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
