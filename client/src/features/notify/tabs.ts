import { useCallback, useEffect, useRef, useState } from 'react';

/** The lock of the one tab that rings for all of them. */
const RINGER = 'parley-ringer';
/** The lock of a tab that somebody looks at, with the chat that is open there. */
const WATCHED = 'parley-watched:';

/** Missing on pages without TLS, as in a local network: there every tab speaks for itself. */
const locks = (): LockManager | undefined => navigator.locks;

/** Whether this tab is the one that rings. One that is closed, or crashes, loses the lock, and the next in line has it. */
export function useRinger(): () => boolean {
  const ringer = useRef(false);
  useEffect(() => {
    const letGo = hold(RINGER, 'exclusive', () => {
      ringer.current = true;
    });
    return () => {
      ringer.current = false;
      letGo();
    };
  }, []);
  return useCallback(() => ringer.current, []);
}

/**
 * Says to all tabs that somebody looks at this one, and at which chat.
 * @returns what is looked at in any of them; null: nothing. A dashboard without an open chat is `''`.
 */
export function useWatched(chatId: string | null): () => Promise<string[] | null> {
  const name = WATCHED + (chatId ?? '');
  const focused = useFocus();
  useEffect(() => (focused ? hold(name, 'shared') : undefined), [name, focused]);
  return useCallback(async () => {
    const here = document.hasFocus() ? [{ name }] : [];
    const { held = [] } = (await locks()?.query()) ?? { held: here };
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

/** Waits for a lock and keeps it until the function given back is called. */
function hold(name: string, mode: LockMode, got: () => void = () => undefined): () => void {
  const manager = locks();
  if (!manager) {
    got();
    return () => undefined;
  }
  const over = new AbortController();
  const kept = new Promise<void>((done) => over.signal.addEventListener('abort', () => done()));
  const asked = manager.request(name, { mode, signal: over.signal }, () => {
    got();
    return kept;
  });
  // Given up before it was had.
  asked.catch(() => undefined);
  return () => over.abort();
}
