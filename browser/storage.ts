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
  const attempt = <Result>(use: (area: Storage) => Result): Result | undefined => {
    try {
      return use(areaOf());
    } catch {
      return undefined;
    }
  };
  const remove = (key: string) => {
    memory.delete(key);
    attempt((area) => area.removeItem(key));
  };
  return {
    get: (key) => memory.get(key) ?? attempt((area) => area.getItem(key)) ?? null,
    set: (key, value) => {
      memory.set(key, value);
      attempt((area) => {
        area.setItem(key, value);
        memory.delete(key);
      });
      // Where the new value does not fit, the older one must not come back after a reload.
      if (memory.has(key)) attempt((area) => area.removeItem(key));
    },
    remove,
    keys: (prefix) => [...memory.keys(), ...(attempt(Object.keys) ?? [])].filter((key) => key.startsWith(prefix)),
  };
}
