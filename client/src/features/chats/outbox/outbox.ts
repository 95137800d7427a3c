import type { QueryClient } from '@tanstack/react-query';
import { backoff } from 'browser/backoff';
import type { SafeStorage } from 'browser/storage';
import { uuid } from 'browser/uuid';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { isFormatted, type User } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { isRefusal, SocketError, useSocket } from '../../../lib/socket.tsx';
import { localStore } from '../../../lib/storage.ts';
import { inTurn } from '../../../lib/turns.ts';
import { mergeMessages, mergeNotes, patchThread } from '../live/thread.ts';
import type { Outgoing, Upload } from '../model/timeline.ts';

/** After this many tries over the socket a message is sent over HTTP. */
const SOCKET_TRIES = 2;
/** A message that could not be sent for so long counts as failed, and its sender has to decide. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Sends a message or note, and puts the answer into the cache. Idempotent: the server recognises a repeat by its `clientId`. */
export type Transport = (item: Outgoing, via: 'socket' | 'http') => Promise<void>;

/** Keeps a user's messages in local storage until the server has confirmed them, and sends them. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Files go beside the outbox. */
interface Uploads {
  items: readonly Upload[];
  add: (files: readonly File[]) => void;
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
}

/** What a user is sending in one chat. */
export type Sending = ReturnType<typeof useSending>;

type Request = ReturnType<typeof useSocket>['request'];

/** @param files given by the caller, since only an open chat loads the code of uploads */
export function useSending(chatId: string, user: User, files: Uploads) {
  const outbox = outboxOf(user);
  const items = useSyncExternalStore(outbox.subscribe, () => outbox.list(chatId));
  return useMemo(
    () => ({
      /** Unconfirmed messages, notes and files, in the order of writing. */
      outgoing: [...items, ...files.items].sort((a, b) => a.at - b.at),
      send: (text: string) => outbox.add(chatId, text),
      /** @param mentions the ids of the teammates whom the note mentions */
      note: (text: string, mentions: string[]) => outbox.add(chatId, text, true, mentions),
      attach: files.add,
      retry: (clientId: string) => {
        outbox.retry(clientId);
        files.retry(clientId);
      },
      remove: (clientId: string) => {
        outbox.remove(clientId);
        files.remove(clientId);
      },
    }),
    [chatId, outbox, items, files],
  );
}

/** Sends the logged-in user's outbox, and retries it at once whenever the connection is back. Mounted once, by `useLive`. */
export function useDelivery(client: QueryClient): void {
  const { user, token: bearer } = useAuth();
  const { connected, request } = useSocket();
  const outbox = user && outboxOf(user);

  useEffect(
    () => (bearer === null ? undefined : outbox?.start(transportOf(client, bearer, connected ? request : null))),
    [outbox, client, bearer, connected, request],
  );
}

/**
 * @param bearer the writer's token: another user may have logged in on this page before the message is sent
 * @param request sends over the socket; null while it is not connected
 */
function transportOf(client: QueryClient, bearer: string, request: Request | null): Transport {
  return async ({ chatId, clientId, content, note: isNote, mentions }, via) => {
    const params = { id: chatId };
    if (isNote) {
      const body = { clientId, content, ...(mentions && { mentions }) };
      const { note } = await call('POST /chats/:id/notes', { params, body, bearer });
      patchThread(client, chatId, (thread) => mergeNotes(thread, [note]));
      return;
    }
    const text = { clientId, content, ...(isFormatted(content) && { formatted: true }) };
    const { message } =
      via === 'socket' && request
        ? await request('send_message', { chatId, ...text })
        : await call('POST /chats/:id/messages', { params, body: { ...text, type: 'text' }, bearer });
    patchThread(client, chatId, (thread) => mergeMessages(thread, [message]));
    // The socket that sends an answer gets no event of it.
    void client.invalidateQueries({ queryKey: keys.overview });
  };
}

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
    for (const end of pauses) end();
    pauses.clear();
  };
  /** Ends all pauses and tries at once, as when the connection is back. */
  const retryNow = () => {
    endPauses();
    for (const chatId of new Set(stored.all().map((item) => item.chatId))) void sendChat(chatId);
  };

  async function sendChat(chatId: string): Promise<void> {
    const current = transport;
    if (!current || sending.has(chatId)) return;
    sending.add(chatId);
    try {
      await inTurn(`parley_outbox:${userId}:${chatId}`, async () => {
        let tries = 0;
        for (let item = stored.next(chatId); item && current === transport; item = stored.next(chatId)) {
          tries = await sendOne(current, item, tries);
        }
      });
    } finally {
      sending.delete(chatId);
    }
    // The outbox was restarted, or a message was added, while the last try was ending.
    if (stored.next(chatId)) void sendChat(chatId);
  }

  /** Makes one try. @returns how many tries the next message to send has had */
  async function sendOne(current: Transport, item: Outgoing, tries: number): Promise<number> {
    if (Date.now() - item.at > GIVE_UP_AFTER_MS) {
      stored.put({ ...item, failed: t('It could not be sent for 24 hours.') });
      return 0;
    }
    try {
      await current(item, tries < SOCKET_TRIES ? 'socket' : 'http');
      stored.remove(item.clientId);
      return 0;
    } catch (error) {
      if (current !== transport || !stored.get(item.clientId)) return 0;
      if (isRefusal(error)) {
        stored.put({ ...item, failed: error.message });
        return 0;
      }
      const notBeforeMs = error instanceof SocketError ? (error.retryAfterMs ?? 0) : 0;
      await pause(Math.max(notBeforeMs, backoff(tries)));
      return tries + 1;
    }
  }

  /** Waits until the time is over or `retryNow` is called. */
  function pause(ms: number): Promise<void> {
    return new Promise((end) => {
      pauses.add(end);
      setTimeout(() => pauses.delete(end) && end(), ms);
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
      window.addEventListener('online', retryNow);
      retryNow();
      return () => {
        if (transport === given) transport = null;
        unsubscribe();
        window.removeEventListener('online', retryNow);
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
    const item: Outgoing = JSON.parse(text ?? '');
    const { clientId, chatId, content, at, failed } = item;
    const hasTexts = [clientId, chatId, content].every((value) => typeof value === 'string');
    return hasTexts && typeof at === 'number' && (failed === null || typeof failed === 'string') ? [item] : [];
  } catch {
    return [];
  }
}
