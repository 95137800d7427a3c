import type { WidgetConfig } from 'server/contract';
import { addStyles, el, icon, mark } from './dom.ts';
import type {
  Call,
  Calls,
  Chat,
  ChatCommands,
  ChatModule,
  DomHelpers,
  Emit,
  Endpoint,
  LauncherCommands,
  Options,
} from './host.ts';
import { drawLauncher } from './launcher.ts';

/** Imports the chat. `attempt` grows after a failure, because browsers remember an address that failed. */
export type LoadChat = (attempt: number) => Promise<ChatModule>;

const RETRY_MIN_MS = 5_000;
/** How often the delay between two tries is doubled: to five minutes. */
const RETRY_DOUBLINGS = 6;
/** From this width on, in CSS pixels, the panel does not cover the page and may open by itself. */
const WIDE_PX = 480;

const FAILURE = 'Could not be loaded. Try again';

const dom: DomHelpers = { addStyles, el, icon, mark };

/** Whether an option that needs no value is on: `data-open` is an empty text, `ParleySettings` says `true` or `false`. */
const isOn = (option: unknown = false) => option !== false;

/** How long to wait after this many tries that failed. */
export const retryDelay = (tries: number) => RETRY_MIN_MS * 2 ** Math.min(RETRY_DOUBLINGS, tries);

export type Widget = ReturnType<typeof createWidget>;

/** Puts the launcher on the page, and loads the chat when somebody is about to use it. */
export function createWidget(endpoint: Endpoint, config: WidgetConfig, emit: Emit, load: LoadChat, options: Options) {
  const launcher = drawLauncher(config, options);
  const { button, container } = launcher;
  // A server of the release before leaves it out, and so does the dashboard's preview.
  config.failure ??= { chat: FAILURE, part: FAILURE };
  const message = config.failure.chat;
  const fault = el('div', 'launcher', { role: 'alert' }, message);
  const host = { dom, ...endpoint, ...launcher, config, options, emit, open, close, restart, end: destroy };
  let chat: Promise<Chat | null> | null = null;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let opened = false;
  let ended = false;
  /** Calls of the page that the chat has not run yet. */
  const calls: Call[] = [];

  function begin(): Promise<Chat | null> {
    clearTimeout(retry);
    chat ??= load(failures).then(
      (module) => {
        // The `remove` of Prototype.js throws where there is no parent.
        if (fault.isConnected) fault.remove();
        return ended ? null : module.startChat(host);
      },
      () => {
        chat = null;
        retry = setTimeout(begin, retryDelay(failures++));
        console.warn(message);
        emit('error', { code: 'OFFLINE', message });
        return null;
      },
    );
    return chat;
  }

  async function open(focus = navigator.userActivation?.isActive ?? true): Promise<void> {
    if (opened || ended) return;
    opened = true;
    const loaded = await begin();
    // The page may have closed it again meanwhile.
    if (!opened) return;
    if (loaded) {
      loaded.open(focus);
      emit('open');
    } else {
      opened = false;
      container.prepend(fault);
    }
  }

  async function close(): Promise<void> {
    if (!opened) return;
    opened = false;
    if ((await chat)?.close()) emit('close');
  }

  function toggle(): void {
    void (opened ? close() : open());
  }

  async function restart(focus: boolean): Promise<void> {
    const before = chat;
    chat = null;
    (await before)?.destroy();
    const next = await begin();
    if (opened) next?.open(focus);
  }

  async function runCalls(): Promise<void> {
    if (!calls.length || ended) return;
    const ran = await (await begin())?.run(calls);
    setTimeout(runCalls, ran ? 0 : retryDelay(failures));
  }

  function destroy(): void {
    ended = true;
    clearTimeout(retry);
    void chat?.then((loaded) => loaded?.destroy());
    launcher.remove();
  }

  button.onclick = fault.onclick = toggle;
  // Somebody is about to open it.
  button.onpointerenter = button.onfocus = () => failures || begin();
  button.hidden = isOn(options.hidden ?? options.inline);
  // A site that records page visits needs the chat's connection at once; greetings, and what puts the panel in the page, are parts of the chat.
  let begins: unknown = options.inline || config.visitorPages || config.greetings;
  let wasOpen: string | null = null;
  try {
    const key = `parley:${endpoint.code}:`;
    wasOpen = sessionStorage.getItem(`${key}open`);
    begins ||= localStorage.getItem(`${key}on`);
  } catch {
    // Where the browser blocks storage there is nothing to resume.
  }
  if (begins) void begin();
  // What the visitor did last overrides the page's `data-open`.
  if (innerWidth >= WIDE_PX && (wasOpen ?? isOn(options.open))) void open(false);

  const own: LauncherCommands = {
    open,
    close,
    toggle,
    show() {
      button.hidden = false;
    },
    hide() {
      void close();
      button.hidden = true;
    },
  };

  return {
    isOpen: () => opened,
    destroy,
    /** Runs a call of the page. What the launcher does not answer goes to the chat, which is loaded for it. */
    run(name: keyof Calls, args: unknown[]): void {
      if (name in own) own[name as keyof LauncherCommands]();
      // The first call starts the loading; calls that come meanwhile wait in the list.
      else if (calls.push([name as keyof ChatCommands, args]) === 1) void runCalls();
    },
  };
}
