/** Prefixes of keys with private data, such as drafts, which the next user of this computer must not see. */
const PRIVATE_PREFIXES = ['parley_draft:', 'parley_recent'];

/** Browser storage that never throws. What the browser refuses to keep (full, or switched off) lasts as long as the page. */
export interface SafeStorage {
  get: (key: string) => string | null;
  set: (key: string, value: string) => void;
  remove: (key: string) => void;
  /** The keys with this prefix. */
  keys: (prefix: string) => string[];
}

/** @param areaOf returns the browser's storage; a function, since even the property throws where site data is blocked */
export function createStorage(areaOf: () => Storage): SafeStorage {
  const memory = new Map<string, string>();
  const attempt = <Result>(use: (area: Storage) => Result, otherwise: Result): Result => {
    try {
      return use(areaOf());
    } catch {
      return otherwise;
    }
  };
  const store = (key: string, value: string) =>
    attempt((area) => {
      area.setItem(key, value);
      return true;
    }, false);
  const remove = (key: string) => attempt((area) => area.removeItem(key), undefined);
  return {
    get: (key) => memory.get(key) ?? attempt((area) => area.getItem(key), null),
    set: (key, value) => {
      if (store(key, value)) {
        memory.delete(key);
        return;
      }
      memory.set(key, value);
      // The older value must not come back after a reload.
      remove(key);
    },
    remove: (key) => {
      memory.delete(key);
      remove(key);
    },
    keys: (prefix) => {
      const held = attempt((area) => Object.keys(area), []);
      return [...new Set([...held, ...memory.keys()])].filter((key) => key.startsWith(prefix));
    },
  };
}

/** `localStorage`: permanent, and shared by all tabs. */
export const localStore = createStorage(() => window.localStorage);
/** `sessionStorage`: kept until the tab is closed. */
export const sessionStore = createStorage(() => window.sessionStorage);

/** Removes what is private, at log-out. Unsent messages stay: they are sent after the next log-in. */
export function wipePrivate(): void {
  for (const key of PRIVATE_PREFIXES.flatMap(localStore.keys)) localStore.remove(key);
}
