import type { KeptStorage } from '../../../lib/storage.ts';

/** A message or note that the server has not confirmed yet. */
export interface Outgoing {
  /** The message's name, made once and kept through every retry. */
  clientId: string;
  chatId: string;
  content: string;
  /** For the team's eyes only. */
  note: boolean;
  /** When it was written or last asked to be tried again, in milliseconds; the order of sending. */
  at: number;
  /** Why it will not be sent, unless its sender asks for another try. */
  failed: string | null;
}

const NONE: readonly Outgoing[] = [];

/** Where unsent messages lie: one storage key each, so that tabs never overwrite each other's. */
export interface Shelf {
  /** Everything, as storage knows it now. */
  all: () => readonly Outgoing[];
  list: (chatId: string) => readonly Outgoing[];
  /** The message whose turn it is, as storage knows it now. */
  next: (chatId: string) => Outgoing | undefined;
  get: (clientId: string) => Outgoing | undefined;
  put: (item: Outgoing) => void;
  take: (clientId: string) => void;
  subscribe: (listener: () => void) => () => void;
  /** Calls when another tab has changed something; answers how to stop. */
  follow: (changed: () => void) => () => void;
}

/** @param userId whose messages; every user has a shelf of their own on the same computer */
export function createShelf(userId: string, storage: KeptStorage): Shelf {
  const prefix = `parley_outbox:${userId}:`;
  const listeners = new Set<() => void>();
  let items: readonly Outgoing[] = NONE;
  let byChat = new Map<string, readonly Outgoing[]>();

  const refresh = () => {
    const fresh = stored(storage, prefix).sort((a, b) => a.at - b.at);
    if (JSON.stringify(fresh) === JSON.stringify(items)) return;
    items = fresh;
    byChat = new Map();
    for (const item of fresh) byChat.set(item.chatId, [...(byChat.get(item.chatId) ?? NONE), item]);
    for (const listener of listeners) listener();
  };
  refresh();

  return {
    all: () => {
      refresh();
      return items;
    },
    list: (chatId) => byChat.get(chatId) ?? NONE,
    next: (chatId) => {
      refresh();
      return byChat.get(chatId)?.find((item) => item.failed === null);
    },
    get: (clientId) => items.find((item) => item.clientId === clientId),
    put: (item) => {
      const others = items.filter((each) => each.clientId !== item.clientId);
      const kept = { ...item, at: Math.max(item.at, (others.at(-1)?.at ?? 0) + 1) };
      storage.set(prefix + kept.clientId, JSON.stringify(kept));
      refresh();
    },
    take: (clientId) => {
      storage.remove(prefix + clientId);
      refresh();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: (changed) => {
      const onStorage = ({ key }: StorageEvent) => {
        if (key !== null && !key.startsWith(prefix)) return;
        refresh();
        changed();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
}

function stored(storage: KeptStorage, prefix: string): Outgoing[] {
  return storage.keys(prefix).flatMap((key) => parse(storage.get(key)));
}

/** Storage is anybody's to write: what is not a message is passed over. */
function parse(text: string | null): Outgoing[] {
  try {
    const item: unknown = JSON.parse(text ?? 'null');
    // Written before there were notes, it says nothing of them.
    return isOutgoing(item) ? [{ ...item, note: item.note === true }] : [];
  } catch {
    return [];
  }
}

function isOutgoing(item: unknown): item is Outgoing {
  if (typeof item !== 'object' || item === null) return false;
  const { clientId, chatId, content, at, failed } = item as Record<keyof Outgoing, unknown>;
  const texts = [clientId, chatId, content].every((value) => typeof value === 'string');
  return texts && typeof at === 'number' && (failed === null || typeof failed === 'string');
}
