import { soundInLastTab } from 'browser/soundTurn';
import { useCallback, useEffect, useRef, useState } from 'react';
import { localStore } from '../../lib/storage.ts';

/** The Web Lock of the one tab that plays sounds for all of them. */
const RINGER = 'parley-ringer';
/** The prefix of the Web Lock of a focused tab; the open chat's id follows. */
const WATCHED = 'parley-watched:';

/** User gestures after which a browser allows sound. */
const GESTURES = ['pointerup', 'keydown'] as const;

/** Local storage key for tabs without Web Locks. */
const TURN_KEY = 'parley_ring';

/** Web Locks are missing on pages without TLS. There, every tab shows notifications, and one of them plays the sound. */
const locks = (): LockManager | undefined => navigator.locks;

/**
 * Whether this tab plays the sounds. Browsers mute a page until its first user gesture, so a gesture makes its tab the
 * one that plays. A tab that is closed or crashes loses the Web Lock, and the next in the queue gets it.
 */
export function useIsSoundingTab(): () => boolean {
  const ringer = useRef(false);
  useEffect(() => {
    let release = () => {};
    const ask = (options: LockOptions) => {
      const onHeld = () => {
        ringer.current = true;
      };
      const onStolen = () => {
        ringer.current = false;
        ask({});
      };
      release = holdLock(RINGER, options, onHeld, onStolen);
    };
    const claim = () => {
      removeListeners();
      if (ringer.current) return;
      release();
      ask({ steal: true });
    };
    const removeListeners = () => {
      for (const gesture of GESTURES) document.removeEventListener(gesture, claim, { capture: true });
    };
    ask({});
    if (navigator.userActivation?.hasBeenActive) claim();
    else for (const gesture of GESTURES) document.addEventListener(gesture, claim, { capture: true });
    return () => {
      removeListeners();
      ringer.current = false;
      release();
    };
  }, []);
  return useCallback(() => ringer.current, []);
}

/**
 * Plays a sound in only one of the tabs that call this at the same time. With Web Locks only one tab calls it.
 * @param quietMs no tab plays another one within this time
 */
export function soundOnce(sound: () => void, quietMs: number): void {
  if (locks()) {
    sound();
    return;
  }
  // Without a user gesture in this tab, the browser would mute it.
  if (navigator.userActivation?.hasBeenActive === false) return;
  const turn = { read: () => localStore.get(TURN_KEY) ?? '', write: (name: string) => localStore.set(TURN_KEY, name) };
  soundInLastTab(turn, quietMs, sound);
}

/**
 * Tells all tabs, by a Web Lock, that this one is focused and which chat is open.
 * @returns the chats open in focused tabs, `''` for a tab without an open chat; null: no tab is focused
 */
export function useViewedChats(chatId: string | null): () => Promise<string[] | null> {
  const name = WATCHED + (chatId ?? '');
  const focused = useFocus();
  useEffect(() => (focused ? holdLock(name, { mode: 'shared' }) : undefined), [name, focused]);
  return useCallback(async () => {
    const here = document.hasFocus() ? [{ name }] : [];
    // Rejects where site data is blocked.
    const { held = [] } = (await locks()
      ?.query()
      .catch(() => null)) ?? { held: here };
    const watched = held.map((lock) => lock.name ?? '').filter((lock) => lock.startsWith(WATCHED));
    return watched.length > 0 ? watched.map((lock) => lock.slice(WATCHED.length)) : null;
  }, [name]);
}

export function useFocus(): boolean {
  const [focused, setFocused] = useState(() => document.hasFocus());
  useEffect(() => {
    const update = () => setFocused(document.hasFocus());
    window.addEventListener('focus', update);
    window.addEventListener('blur', update);
    return () => {
      window.removeEventListener('focus', update);
      window.removeEventListener('blur', update);
    };
  }, []);
  return focused;
}

/**
 * Waits for a Web Lock and holds it. @returns a function that releases it
 * @param onStolen called when another tab steals it
 */
function holdLock(
  name: string,
  options: LockOptions,
  onHeld: () => void = () => undefined,
  onStolen: () => void = () => undefined,
): () => void {
  const manager = locks();
  if (!manager) {
    onHeld();
    return () => undefined;
  }
  const over = new AbortController();
  const kept = new Promise<void>((done) => over.signal.addEventListener('abort', () => done()));
  let had = false;
  // `steal` does not wait, and does not allow a signal.
  const how = options.steal ? options : { ...options, signal: over.signal };
  const asked = manager.request(name, how, () => {
    had = true;
    onHeld();
    return kept;
  });
  asked.catch(() => {
    if (over.signal.aborted) return;
    // Rejects where site data is blocked: then each tab acts on its own.
    if (had) onStolen();
    else onHeld();
  });
  return () => over.abort();
}
