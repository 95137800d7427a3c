import { useCallback, useEffect, useRef, useState } from 'react';
import { localStore } from '../../lib/storage.ts';

/** The lock of the one tab that rings for all of them. */
const RINGER = 'parley-ringer';
/** The lock of a tab that somebody looks at, with the chat that is open there. */
const WATCHED = 'parley-watched:';

/** After these a browser lets a page sound. */
const GESTURES = ['pointerup', 'keydown'] as const;

/** Where the tabs of a page without locks say which of them sounds, and when: a time in milliseconds, and a number. */
const TURN_KEY = 'parley_ring';
/** How long those tabs wait for each other. */
const TURN_MS = 150;

/** Missing on pages without TLS, as in a local network: there every tab notifies, and they take turns to sound. */
const locks = (): LockManager | undefined => navigator.locks;

/**
 * Whether this tab is the one that rings. Browsers keep a page silent in which nobody has clicked yet, so the first
 * gesture in a tab makes it the one, whichever it was before. One that is closed, or crashes, loses the lock, and the next
 * in line has it.
 */
export function useIsSoundingTab(): () => boolean {
  const ringer = useRef(false);
  useEffect(() => {
    let letGo = () => {};
    const ask = (options: LockOptions) => {
      const got = () => {
        ringer.current = true;
      };
      const robbed = () => {
        ringer.current = false;
        ask({});
      };
      letGo = hold(RINGER, options, got, robbed);
    };
    const take = () => {
      forget();
      if (ringer.current) return;
      letGo();
      ask({ steal: true });
    };
    const forget = () => {
      for (const gesture of GESTURES) document.removeEventListener(gesture, take, { capture: true });
    };
    ask({});
    if (navigator.userActivation?.hasBeenActive) take();
    else for (const gesture of GESTURES) document.addEventListener(gesture, take, { capture: true });
    return () => {
      forget();
      ringer.current = false;
      letGo();
    };
  }, []);
  return useCallback(() => ringer.current, []);
}

/**
 * Sounds, in one of the tabs that would do so at the same time. Where there are locks, only the one that rings gets here;
 * else, of the tabs that put their name down, the last one sounds.
 * @param quietMs for how long after a sound no other tab makes one
 */
export function soundOnce(sound: () => void, quietMs: number): void {
  if (locks()) {
    sound();
    return;
  }
  // Nobody has clicked in this one: the browser would keep it silent.
  if (navigator.userActivation?.hasBeenActive === false) return;
  const since = Date.now() - Number.parseInt(localStore.get(TURN_KEY) ?? '0', 10);
  if (since >= TURN_MS && since < quietMs) return;
  const name = `${Date.now()} ${Math.random()}`;
  localStore.set(TURN_KEY, name);
  setTimeout(() => localStore.get(TURN_KEY) === name && sound(), TURN_MS);
}

/**
 * Says to all tabs that somebody looks at this one, and at which chat.
 * @returns what is looked at in any of them; null: nothing. A dashboard without an open chat is `''`.
 */
export function useViewedChats(chatId: string | null): () => Promise<string[] | null> {
  const name = WATCHED + (chatId ?? '');
  const focused = useFocus();
  useEffect(() => (focused ? hold(name, { mode: 'shared' }) : undefined), [name, focused]);
  return useCallback(async () => {
    const here = document.hasFocus() ? [{ name }] : [];
    // Refused where the browser keeps nothing.
    const { held = [] } = (await locks()
      ?.query()
      .catch(() => null)) ?? { held: here };
    const watched = held.map((lock) => lock.name ?? '').filter((lock) => lock.startsWith(WATCHED));
    return watched.length > 0 ? watched.map((lock) => lock.slice(WATCHED.length)) : null;
  }, [name]);
}

function useFocus(): boolean {
  const [focused, setFocused] = useState(() => document.hasFocus());
  useEffect(() => {
    const look = () => setFocused(document.hasFocus());
    window.addEventListener('focus', look);
    window.addEventListener('blur', look);
    return () => {
      window.removeEventListener('focus', look);
      window.removeEventListener('blur', look);
    };
  }, []);
  return focused;
}

/**
 * Waits for a lock and keeps it until the function given back is called.
 * @param robbed called where another tab takes it away
 */
function hold(
  name: string,
  options: LockOptions,
  got: () => void = () => undefined,
  robbed: () => void = () => undefined,
): () => void {
  const manager = locks();
  if (!manager) {
    got();
    return () => undefined;
  }
  const over = new AbortController();
  const kept = new Promise<void>((done) => over.signal.addEventListener('abort', () => done()));
  let had = false;
  // Who takes a lock away does not wait, and may not bring a signal.
  const how = options.steal ? options : { ...options, signal: over.signal };
  const asked = manager.request(name, how, () => {
    had = true;
    got();
    return kept;
  });
  asked.catch(() => {
    if (over.signal.aborted) return;
    // Refused where the browser keeps nothing: there every tab speaks for itself.
    if (had) robbed();
    else got();
  });
  return () => over.abort();
}
