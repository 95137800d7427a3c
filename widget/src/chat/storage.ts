/** A message on its way, as it is kept until the server has it. */
export interface Outgoing {
  clientId: string;
  content: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** Why it will not be tried again, until the visitor says so. */
  failed?: { code: string; message: string };
}

export interface Storage {
  /** The visitor's secret, '' before the first session. */
  token(): string;
  keepToken(token: string): void;
  /** Whether the conversation is to be resumed when the next page loads. */
  goesOn(): boolean;
  keepGoesOn(goesOn: boolean): void;
  /** Whether the panel stands open in this tab: kept from page to page of the site. */
  keepOpen(open: boolean): void;
  draft(): string;
  keepDraft(text: string): void;
  /** Messages on their way, oldest first: of all tabs. */
  outgoing(): Outgoing[];
  put(message: Outgoing): void;
  drop(clientId: string): void;
  /** Calls back when another tab put or dropped a message. */
  watch(changed: () => void, signal: AbortSignal): void;
}

/**
 * Local storage under `parley:{code}`. Each thing, and each message, has an entry of its own, so that tabs cannot overwrite each other's.
 * What the browser refuses to keep is kept in memory, for this page view.
 */
export function createStorage(code: string): Storage {
  const tokenKey = `parley:${code}`;
  const goesOnKey = `${tokenKey}:on`;
  const draftKey = `${tokenKey}:draft`;
  const outbox = `${tokenKey}:out:`;
  const memory = new Map<string, string>();

  /** Runs something on the browser's storage; `undefined` where that is blocked or full. */
  function attempt<Result>(task: (area: globalThis.Storage) => Result, place = 'localStorage'): Result | undefined {
    try {
      return task(window[place as 'localStorage']);
    } catch {
      return undefined;
    }
  }

  function get(key: string): string | null {
    return memory.get(key) ?? attempt((area) => area.getItem(key)) ?? null;
  }

  function set(key: string, value: string): void {
    const kept = attempt((area) => {
      area.setItem(key, value);
      return true;
    });
    if (kept) memory.delete(key);
    else memory.set(key, value);
  }

  function remove(key: string): void {
    memory.delete(key);
    attempt((area) => area.removeItem(key));
  }

  function write(key: string, value: string): void {
    if (value === (get(key) ?? '')) return;
    if (value) set(key, value);
    else remove(key);
  }

  function parse(text: string | null): Outgoing | null {
    try {
      return JSON.parse(text ?? 'null');
    } catch {
      return null;
    }
  }

  return {
    token: () => get(tokenKey) ?? '',
    keepToken: (token) => write(tokenKey, token),
    goesOn: () => get(goesOnKey) !== null,
    keepGoesOn: (goesOn) => write(goesOnKey, goesOn ? '1' : ''),
    keepOpen: (open) =>
      attempt((area) => area[open ? 'setItem' : 'removeItem'](`${tokenKey}:open`, '1'), 'sessionStorage'),
    draft: () => get(draftKey) ?? '',
    keepDraft: (text) => write(draftKey, text),
    outgoing() {
      const keys = new Set([...memory.keys(), ...(attempt((area) => Object.keys(area)) ?? [])]);
      return [...keys]
        .filter((key) => key.startsWith(outbox))
        .map((key) => parse(get(key)))
        .filter((message) => message !== null)
        .sort((a, b) => a.at - b.at || (a.clientId < b.clientId ? -1 : 1));
    },
    put: (message) => set(outbox + message.clientId, JSON.stringify(message)),
    drop: (clientId) => remove(outbox + clientId),
    watch(changed, signal) {
      addEventListener('storage', ({ key }) => (key === null || key.startsWith(outbox)) && changed(), { signal });
    },
  };
}
