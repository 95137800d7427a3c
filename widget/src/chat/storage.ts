import type { VisitorAnswers } from 'server/contract';

/** A message as it is kept until the server has stored it. */
export interface OutgoingMessage {
  clientId: string;
  content: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** What else stood in the offline form, where the message was left in it. */
  from?: VisitorAnswers & { name: string; email: string };
  /** Why the next try is far away, in the server's words. */
  why?: string;
  /** Why it is not tried again unless the visitor asks for it. */
  failed?: { code: string; message: string };
}

/**
 * `token`: the visitor's secret. `on`: the next page connects at once, to continue the conversation. `draft`: text not yet sent.
 * `met`: the visitor gave an address (`mail`), or is not asked for one again (`asked`). `mute`: no sound.
 * `shut`: the last message whose teaser was closed. `ring`: which tab makes the sound, and when. `visit`: which greetings it had. `greeting`: a new visitor reads one. `poll`: until when polling is tried first, in milliseconds since 1970.
 */
type Key = 'token' | 'on' | 'draft' | 'met' | 'mute' | 'shut' | 'ring' | 'visit' | 'greeting' | 'poll';

export interface Storage {
  /** '' where there is nothing. */
  read(key: Key): string;
  write(key: Key, value: string): void;
  /** Remembers for the next page in this tab whether the panel is open. */
  keepOpen(open: boolean): void;
  /** The messages in the outbox of all tabs, oldest first. */
  outgoing(): OutgoingMessage[];
  put(message: OutgoingMessage): void;
  drop(clientId: string): void;
  /** Calls `changed` when another tab put or dropped a message. */
  watch(changed: () => void, signal: AbortSignal): void;
  /** Calls `changed` when another tab has become another visitor, or deleted this one. */
  watchVisitor(changed: () => void, signal: AbortSignal): void;
  /** Deletes everything. */
  wipe(): void;
}

/**
 * Local storage under `parley:{code}:`. Each message has an entry of its own, so that tabs cannot overwrite each other's messages.
 * Where the browser blocks storage, values are kept in memory, for this page view.
 */
export function createStorage(code: string): Storage {
  const root = `parley:${code}:`;
  const outbox = `${root}out:`;
  const memory = new Map<string, string>();

  /** Runs a task on the browser's storage. @returns `undefined` where storage is blocked or full */
  function attempt<Result>(task: (area: globalThis.Storage) => Result, place = 'localStorage'): Result | undefined {
    try {
      return task(window[place as 'localStorage']);
    } catch {
      return undefined;
    }
  }

  function get(key: string): string {
    return memory.get(key) ?? attempt((area) => area.getItem(key)) ?? '';
  }

  function set(key: string, value: string): void {
    if (value === get(key)) return;
    memory.set(key, value);
    attempt((area) => {
      if (value) area.setItem(key, value);
      else area.removeItem(key);
      memory.delete(key);
    });
  }

  function parse(text: string): OutgoingMessage | null {
    try {
      return JSON.parse(text || 'null');
    } catch {
      return null;
    }
  }

  function keys(): string[] {
    const known = new Set([...memory.keys(), ...(attempt((area) => Object.keys(area)) ?? [])]);
    return [...known].filter((key) => key.startsWith(root));
  }

  return {
    read: (key) => get(root + key),
    write: (key, value) => set(root + key, value),
    keepOpen: (open) => attempt((area) => area.setItem(`${root}open`, open ? '1' : ''), 'sessionStorage'),
    outgoing() {
      return keys()
        .filter((key) => key.startsWith(outbox))
        .map((key) => parse(get(key)))
        .filter((message) => message !== null)
        .sort((a, b) => a.at - b.at);
    },
    put: (message) => set(outbox + message.clientId, JSON.stringify(message)),
    drop: (clientId) => set(outbox + clientId, ''),
    watch(changed, signal) {
      addEventListener('storage', ({ key }) => (!key || key.startsWith(outbox)) && changed(), { signal });
    },
    watchVisitor(changed, signal) {
      const isOther = ({ key, oldValue }: StorageEvent) => !key || (key === `${root}token` && oldValue);
      addEventListener('storage', (event) => isOther(event) && changed(), { signal });
    },
    wipe() {
      for (const key of keys()) set(key, '');
    },
  };
}
