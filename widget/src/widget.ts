import type { WidgetConfig } from 'server/contract';
import type { Calls, LauncherCommands } from './api.ts';
import { addStyles, el, icon, mark } from './dom.ts';
import type { Call, Chat, ChatCommands, ChatModule, Emit, Kit, Options, Place } from './frame.ts';
import { drawLauncher } from './launcher.ts';

/** Fetches the chat; `attempt` grows, because browsers remember that an address failed. */
export type LoadChat = (attempt: number) => Promise<ChatModule>;

/** How soon the chat is fetched again for what the page told it. */
const RETRY_MS = 5_000;
/** From this width on, in CSS pixels, the panel leaves room for the page and may open by itself. */
const WIDE_PX = 480;
const INTENTS = ['pointerenter', 'focusin'];

const kit: Kit = { addStyles, el, icon, mark };

/** The widget on the page. */
export interface Widget {
  isOpen(): boolean;
  destroy(): void;
  /** Runs a call of the page; what is not the launcher's own goes to the chat, which is fetched for it. */
  tell(name: keyof Calls, args: unknown[]): void;
}

/** Puts the launcher on the page and brings the chat in when somebody means to use it. */
export function createWidget(place: Place, config: WidgetConfig, emit: Emit, load: LoadChat, options: Options): Widget {
  const launcher = drawLauncher(config, options);
  const { button } = launcher;
  const frame = { kit, ...place, ...launcher, config, options, emit, open, close, restart, end: destroy };
  let chat: Promise<Chat | null> | null = null;
  let failures = 0;
  let opened = false;
  let ended = false;
  /** What the page told the chat, until the chat has it. */
  const calls: Call[] = [];

  function begin(): Promise<Chat | null> {
    chat ??= load(failures).then(
      (module) => (ended ? null : module.startChat(frame)),
      () => {
        chat = null;
        failures++;
        const message = 'Parley: the chat could not be loaded.';
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
      emit('open', undefined);
    } else opened = false;
  }

  async function close(): Promise<void> {
    if (!opened) return;
    opened = false;
    if ((await chat)?.close()) emit('close', undefined);
  }

  function toggle(): void {
    void (opened ? close() : open());
  }

  async function restart(): Promise<void> {
    const before = chat;
    chat = null;
    (await before)?.destroy();
    const next = await begin();
    if (opened) next?.open(false);
  }

  async function tellChat(): Promise<void> {
    if (!calls.length || ended) return;
    const told = await (await begin())?.tell(calls);
    setTimeout(tellChat, told ? 0 : RETRY_MS);
  }

  function destroy(): void {
    ended = true;
    void chat?.then((loaded) => loaded?.destroy());
    launcher.remove();
  }

  button.addEventListener('click', toggle);
  for (const intent of INTENTS) button.addEventListener(intent, begin, { once: true });
  button.hidden = 'hidden' in options;
  // Where the site wants to know who is there, the chat's line to the server tells it.
  let begins: unknown = config.visitorPages;
  let left: string | null = null;
  try {
    const key = `parley:${place.code}:`;
    left = sessionStorage.getItem(`${key}open`);
    begins ||= localStorage.getItem(`${key}on`);
  } catch {
    // Where the browser blocks storage there is nothing to resume.
  }
  if (begins) void begin();
  // What the visitor did last goes before what the page wishes.
  if (innerWidth >= WIDE_PX && (left ?? 'open' in options)) void open(false);

  const own: LauncherCommands = {
    open: () => open(),
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
    tell(name, args) {
      if (name in own) return own[name as keyof LauncherCommands]();
      // The first sets out; whatever comes before it has arrived waits its turn.
      if (calls.push([name as keyof ChatCommands, args]) === 1) void tellChat();
    },
  };
}
