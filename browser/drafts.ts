import type { SafeStorage } from './storage.ts';

/**
 * What is typed and not sent yet, by what it is for. A draft outlives its field and the page, all tabs have the same one, and it ends
 * only when it is sent, discarded, or its writer logs out.
 */
export interface Drafts {
  /** '' where there is none. */
  read: (key: string) => string;
  /** Keeps a draft as it is now; '' discards it. */
  write: (key: string, text: string) => void;
  /** Removes a draft and returns it, in order to send it. '' where another tab has sent it already. */
  take: (key: string) => string;
  /** The keys of the drafts that begin so. */
  keys: (prefix: string) => string[];
  /** Calls back with the key after each change, of this tab or another; '': another tab has cleared all. @returns ends it */
  watch: (changed: (key: string) => void) => () => void;
}

/** @param storage of `localStorage`, which other tabs share @param prefix of its entries */
export function createDrafts(storage: SafeStorage, prefix: string): Drafts {
  const watchers = new Set<(key: string) => void>();
  const read = (key: string) => storage.get(prefix + key) ?? '';
  const write = (key: string, text: string) => {
    if (text === read(key)) return;
    if (text) storage.set(prefix + key, text);
    else storage.remove(prefix + key);
    for (const changed of watchers) changed(key);
  };
  return {
    read,
    write,
    take: (key) => {
      const text = read(key);
      write(key, '');
      return text;
    },
    keys: (start) => storage.keys(prefix + start).map((key) => key.slice(prefix.length)),
    watch: (changed) => {
      // Sent only to the other tabs of the browser. No key: everything was removed.
      const onStorage = ({ key }: StorageEvent) =>
        (key ?? prefix).startsWith(prefix) && changed((key ?? prefix).slice(prefix.length));
      addEventListener('storage', onStorage);
      watchers.add(changed);
      return () => {
        removeEventListener('storage', onStorage);
        watchers.delete(changed);
      };
    },
  };
}
