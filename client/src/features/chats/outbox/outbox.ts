import { backoff } from 'browser/backoff';
import type { SafeStorage } from 'browser/storage';
import { uuid } from 'browser/uuid';
import type { User } from 'server/contract';
import { ApiError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { SocketError } from '../../../lib/socket.tsx';
import { localStore } from '../../../lib/storage.ts';

/** After this many tries over the socket a message is sent over HTTP. */
const SOCKET_TRIES = 2;
/** A message that could not be sent for so long counts as failed, and its sender has to decide. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
/** How long to wait for another tab's lock. */
const LOCK_WAIT_MAX_MS = 10_000;

/** A message or note that the server has not confirmed yet. */
export interface Outgoing {
  /** The idempotency key: made once and kept through every retry. */
  clientId: string;
  chatId: string;
  content: string;
  /** Whether it is a note, which only the team sees. */
  note: boolean;
  /** The ids of the teammates whom a note mentions; left out: nobody. */
  mentions?: string[];
  /** When it was written or last asked to be tried again, in milliseconds; messages are sent in this order. */
  at: number;
  /** Why it was given up; null while it is still tried. */
  failed: string | null;
}

/** Sends a message or note, and puts the answer into the cache. Idempotent: the server recognises a repeat by its `clientId`. */
export type Transport = (item: Outgoing, via: 'socket' | 'http') => Promise<void>;

/** Keeps a user's messages in local storage until the server has confirmed them, and sends them. */
export type Outbox = ReturnType<typeof createOutbox>;

const outboxes = new Map<string, Outbox>();

/** The user's own outbox, made once per page. */
export function outboxOf({ _id }: User): Outbox {
  const outbox = outboxes.get(_id) ?? createOutbox(_id, localStore);
  outboxes.set(_id, outbox);
  return outbox;
}

/**
 * Sends one message per chat at a time, in order. Tabs of the same user share the storage and, where the browser has Web
 * Locks, take turns per chat.
 * @param userId whose messages: those of another account on the same computer are never sent
 */
export function createOutbox(userId: string, storage: SafeStorage) {
  const stored = createOutboxStorage(userId, storage);
  const sending = new Set<string>();
  const pauses = new Set<() => void>();
  let transport: Transport | null = null;

  const endPauses = () => {
    for (const end of [...pauses]) end();
  };
  /** Ends all pauses and tries at once, as when the connection is back. */
  const retryNow = () => {
    endPauses();
    for (const chatId of new Set(stored.all().map((item) => item.chatId))) void sendChat(chatId);
  };

  async function sendChat(chatId: string): Promise<void> {
    if (!transport || sending.has(chatId)) return;
    sending.add(chatId);
    try {
      await withLock(`parley_outbox:${userId}:${chatId}`, () => sendAll(chatId));
    } finally {
      sending.delete(chatId);
    }
    // The outbox was restarted, or a message was added, while the last try was ending.
    if (stored.next(chatId)) void sendChat(chatId);
  }

  async function sendAll(chatId: string): Promise<void> {
    const current = transport;
    let tries = 0;
    for (let item = stored.next(chatId); item && current && current === transport; item = stored.next(chatId)) {
      tries = await sendOne(current, item, tries);
    }
  }

  /** Makes one try. @returns how many tries the next message to send has had */
  async function sendOne(current: Transport, item: Outgoing, tries: number): Promise<number> {
    if (Date.now() - item.at > GIVE_UP_AFTER_MS) {
      stored.put({ ...item, failed: t('It could not be sent for 24 hours.') });
      return 0;
    }
    const result = await trySend(() => current(item, tries < SOCKET_TRIES ? 'socket' : 'http'));
    if (result.kind === 'sent') stored.remove(item.clientId);
    if (current !== transport || !stored.get(item.clientId)) return 0;
    if (result.kind === 'refused') stored.put({ ...item, failed: result.reason });
    if (result.kind !== 'later') return 0;
    await pause(Math.max(result.notBeforeMs, backoff(tries)));
    return tries + 1;
  }

  /** Waits until the time is over or `retryNow` is called. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      pauses.add(end);
    });
  }

  return {
    /** The unconfirmed messages of a chat, in order. */
    list: stored.list,
    subscribe: stored.subscribe,
    /** Stores the message or note, then shows and sends it. */
    add: (chatId: string, content: string, note = false, mentions: string[] = []) => {
      const mentioned = mentions.length > 0 && { mentions };
      stored.put({ clientId: uuid(), chatId, content, note, ...mentioned, at: Date.now(), failed: null });
      void sendChat(chatId);
    },
    /** Sends a failed message again, under the same `clientId`. */
    retry: (clientId: string) => {
      const item = stored.get(clientId);
      if (!item) return;
      stored.put({ ...item, at: Date.now(), failed: null });
      void sendChat(item.chatId);
    },
    /** Removes a message: its sender deleted it, or the server turned out to have it. */
    remove: stored.remove,
    /** Resolves when the texts of a chat that were written up to a time are sent or refused, for what must come after them. */
    textsSent: (chatId: string, by = Number.POSITIVE_INFINITY) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (stored.list(chatId).some(({ at, note, failed }) => at <= by && !note && failed === null)) return;
          unsubscribe();
          resolve();
        };
        const unsubscribe = stored.subscribe(look);
        look();
      }),
    retryNow,
    /** Begins to send. @returns a disposer; what is unsent stays in storage */
    start: (given: Transport) => {
      transport = given;
      const unsubscribe = stored.subscribeToOtherTabs(retryNow);
      retryNow();
      return () => {
        if (transport === given) transport = null;
        unsubscribe();
        endPauses();
      };
    },
  };
}

/** Unsent messages in local storage, under one key each, so that tabs never overwrite each other's. */
function createOutboxStorage(userId: string, storage: SafeStorage) {
  const prefix = `parley_outbox:${userId}:`;
  const none: readonly Outgoing[] = [];
  const listeners = new Set<() => void>();
  let items = none;
  let byChat = new Map<string, readonly Outgoing[]>();

  const refresh = () => {
    const fresh = storage
      .keys(prefix)
      .flatMap((key) => parse(storage.get(key)))
      .sort((a, b) => a.at - b.at);
    if (JSON.stringify(fresh) === JSON.stringify(items)) return;
    items = fresh;
    byChat = new Map();
    for (const item of fresh) byChat.set(item.chatId, [...(byChat.get(item.chatId) ?? none), item]);
    for (const listener of listeners) listener();
  };
  refresh();

  return {
    /** All messages, read from storage now. */
    all: () => {
      refresh();
      return items;
    },
    list: (chatId: string) => byChat.get(chatId) ?? none,
    /** The next message to send, read from storage now. */
    next: (chatId: string) => {
      refresh();
      return byChat.get(chatId)?.find((item) => item.failed === null);
    },
    get: (clientId: string) => items.find((item) => item.clientId === clientId),
    put: (item: Outgoing) => {
      const others = items.filter((each) => each.clientId !== item.clientId);
      // Later than all others, also where two were written within one millisecond.
      const kept = { ...item, at: Math.max(item.at, (others.at(-1)?.at ?? 0) + 1) };
      storage.set(prefix + kept.clientId, JSON.stringify(kept));
      refresh();
    },
    remove: (clientId: string) => {
      storage.remove(prefix + clientId);
      refresh();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    subscribeToOtherTabs: (listener: () => void) => {
      const onStorage = ({ key }: StorageEvent) => {
        if (key !== null && !key.startsWith(prefix)) return;
        refresh();
        listener();
      };
      window.addEventListener('storage', onStorage);
      return () => window.removeEventListener('storage', onStorage);
    },
  };
}

/** Any script of this origin may write to storage: an entry that is not a message is ignored. */
function parse(text: string | null): Outgoing[] {
  try {
    const item: unknown = JSON.parse(text ?? 'null');
    // Entries of releases that had no notes lack the flag.
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

type SendResult = { kind: 'sent' } | { kind: 'later'; notBeforeMs: number } | { kind: 'refused'; reason: string };

/** Makes one try and tells a temporary failure from a final one. */
async function trySend(send: () => Promise<void>): Promise<SendResult> {
  try {
    await send();
    return { kind: 'sent' };
  } catch (error) {
    if (isFinal(error)) return { kind: 'refused', reason: error.message };
    return { kind: 'later', notBeforeMs: error instanceof SocketError ? (error.retryAfterMs ?? 0) : 0 };
  }
}

/** Whether the message itself was refused. An ended session says nothing about it: it is sent after the next login. */
function isFinal(error: unknown): error is Error {
  if (error instanceof SocketError) return error.code !== 'UNAUTHORIZED' && !error.retryable;
  if (!(error instanceof ApiError) || [401, 408, 429].includes(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}

/**
 * Runs while no other tab holds the lock of this name; also when one has held it for so long that the system may have
 * suspended that tab. Browsers have locks on secure pages only, and refuse them where storage is blocked. Without locks two
 * tabs may send the same message, which the server recognises by its `clientId`.
 */
async function withLock(name: string, run: () => Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const timeout = setTimeout(() => waiting.abort(), LOCK_WAIT_MAX_MS);
  let begun = false;
  const begin = () => {
    clearTimeout(timeout);
    begun = true;
    return run();
  };
  try {
    await navigator.locks.request(name, { signal: waiting.signal }, begin);
  } catch (error) {
    if (begun) throw error;
    await begin();
  }
}
