import type { Call, Chat, Host } from '../host.ts';
import type { BaseContext, ChatContext, ImportPart, Parts } from './context.ts';
import { useDomHelpers } from './dom-helpers.ts';
import { chooseLanguage, type OtherLanguage } from './language.ts';
import { createPartLoader } from './parts.ts';
import { createState } from './state.ts';
import { createStorage, OUTBOX } from './storage.ts';
import { createPanel } from './view/panel.ts';

/** How soon a script without which the chat is not whole is loaded again after a failure: first, and at most. */
const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 60_000;

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
  const base: BaseContext = {
    host,
    language,
    store,
    storage,
    loadPart,
    signal,
    forget,
    restart,
    unsent: {},
    live: null,
  };
  const panel = createPanel(base);
  const context: ChatContext = Object.assign(base, { panel });
  let begun = false;
  /** Ends the wait for the next try of `keepTrying`. */
  let tryNow = () => {};
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

  /** Runs a task until it works or the chat is over. It waits longer each time, or until `tryNow()`. */
  async function keepTrying(task: () => Promise<unknown>): Promise<void> {
    for (let delay = RETRY_MIN_MS; !signal.aborted; delay = Math.min(delay * 2, RETRY_MAX_MS)) {
      try {
        return void (await task());
      } catch {
        await new Promise<void>((resolve) => {
          tryNow = resolve;
          setTimeout(resolve, delay);
        });
      }
    }
  }

  async function loadLive(): Promise<void> {
    const { startLive } = await loadPart('live').catch((error) => {
      store.set({ connection: 'lost', taps: false });
      throw error;
    });
    // A call of `identify()` must run first, so that the session is opened for that visitor.
    await running;
    if (!signal.aborted) context.live = startLive(context);
  }

  async function speak(): Promise<void> {
    await loadPart(language.missing as OtherLanguage);
    (await loadPart('commands')).restartWhenLeft(context);
  }

  function goLive(): void {
    if (!begun) void keepTrying(loadLive);
    begun = true;
    tryNow();
  }

  void host.fresh?.then(store.set);
  if (language.missing) void keepTrying(speak);
  for (const type of ['online', 'focus']) addEventListener(type, () => tryNow(), { signal });
  storage.watchVisitor(restart, signal);
  storage.watch((key) => (!key || key.startsWith(OUTBOX)) && readOutbox(), signal);
  readOutbox();
  if (storage.read('on') || host.config.visitorPages) goLive();
  // Before the panel can be opened, so that it never shows above the launcher first.
  if (host.options.inline) await keepTrying(async () => (await loadPart('inline')).placeInPage(context));

  return {
    open(focus) {
      // In another page, without that element, the visitor has opened nothing.
      storage.keepOpen(!host.options.inline);
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
      while (part && calls.length && !signal.aborted) part.runCommand(context, ...(calls.shift() as Call));
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
