import type { WidgetConfig } from 'server/contract';
import type { Commands } from './api.ts';
import { addStyles, el, icon, mark } from './dom.ts';
import type { Chat, ChatModule, Emit, Kit, Place } from './frame.ts';
import { call, isGone } from './http.ts';
import { drawLauncher } from './launcher.ts';

/** Fetches the chat; `attempt` grows, because browsers remember that an address failed. */
export type LoadChat = (attempt: number) => Promise<ChatModule>;

/** From this width on, in CSS pixels, the panel leaves room for the page and may open by itself. */
const WIDE_PX = 480;
const INTENTS = ['pointerenter', 'focusin', 'touchstart'];

const kit: Kit = { addStyles, call, el, icon, isGone, mark };

/** Puts the launcher on the page and brings the chat in when somebody means to use it. */
export function createWidget(place: Place, config: WidgetConfig, emit: Emit, load: LoadChat): Commands {
  const { remove, ...launcher } = drawLauncher(config);
  const { button } = launcher;
  let chat: Promise<Chat | null> | null = null;
  let attempts = 0;
  let opened = false;
  let ended = false;

  function begin(): Promise<Chat | null> {
    chat ??= load(attempts++).then(
      (module) => (ended ? null : module.startChat({ kit, ...place, ...launcher, config, emit, close, end: destroy })),
      () => {
        chat = null;
        const message = 'Parley: the chat could not be loaded.';
        console.warn(message);
        emit('error', { code: 'OFFLINE', message });
        return null;
      },
    );
    return chat;
  }

  async function open(focus = true): Promise<void> {
    if (opened || ended) return;
    opened = true;
    const loaded = await begin();
    // The page may have closed it again meanwhile.
    if (!opened) return;
    opened = loaded !== null;
    loaded?.open(focus);
    if (loaded) emit('open', undefined);
  }

  async function close(): Promise<void> {
    if (!opened) return;
    opened = false;
    if ((await chat)?.close()) emit('close', undefined);
  }

  function toggle(): void {
    void (opened ? close() : open());
  }

  function destroy(): void {
    ended = true;
    void chat?.then((loaded) => loaded?.destroy());
    remove();
  }

  button.addEventListener('click', toggle);
  for (const intent of INTENTS) button.addEventListener(intent, begin, { once: true, passive: true });
  try {
    const key = `parley:${place.code}:`;
    if (innerWidth >= WIDE_PX && sessionStorage.getItem(`${key}open`)) void open(false);
    else if (localStorage.getItem(`${key}on`)) void begin();
  } catch {
    // Where the browser blocks storage there is nothing to resume.
  }

  return {
    open,
    close,
    toggle,
    show: () => {
      button.hidden = false;
    },
    hide: () => {
      void close();
      button.hidden = true;
    },
    isOpen: () => opened,
    destroy,
  };
}
