import { newClientId } from '../../../lib/clientId.ts';
import type { KeptStorage } from '../../../lib/storage.ts';
import { createShelf, type Outgoing } from './outboxStorage.ts';
import { attempt, backoff } from './retry.ts';

/** After this many tries over the socket a message goes over HTTP. */
const SOCKET_TRIES = 2;
/** How long a message is tried before its sender has to decide. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;
/** How long another tab is left its turn. */
const TURN_MAX_MS = 10_000;

/** Takes a message or note to the server and shows what came of it; a repeat with the same `clientId` is harmless. */
export type Carrier = (item: Outgoing, via: 'socket' | 'http') => Promise<void>;

/** Holds a user's messages from the key that sends them until the server has them. */
export interface Outbox {
  /** The messages of a chat that the server has not confirmed, in order. */
  list: (chatId: string) => readonly Outgoing[];
  subscribe: (listener: () => void) => () => void;
  /** Stores the message or note, then shows and sends it. */
  add: (chatId: string, content: string, note?: boolean) => void;
  /** Tries a failed message again, under its old name. */
  retry: (clientId: string) => void;
  /** Forgets a message: deleted by its sender, or the server has it, however we learnt that. */
  remove: (clientId: string) => void;
  /** Waits no longer: the connection is back. */
  wake: () => void;
  /** Begins to send; answers how to stop. What is unsent stays stored. */
  start: (carrier: Carrier) => () => void;
}

/**
 * One message in flight per chat, in order, for as long as it takes. Other tabs of the same user share the storage and,
 * where the browser has locks, the turn.
 * @param userId whose messages: another account on this computer never sends them
 */
export function createOutbox(userId: string, storage: KeptStorage): Outbox {
  const shelf = createShelf(userId, storage);
  const busy = new Set<string>();
  const resting = new Set<() => void>();
  let carrier: Carrier | null = null;

  const wake = () => {
    for (const rise of [...resting]) rise();
    for (const chatId of new Set(shelf.all().map((item) => item.chatId))) void drain(chatId);
  };

  async function drain(chatId: string): Promise<void> {
    if (!carrier || busy.has(chatId)) return;
    busy.add(chatId);
    try {
      await inTurn(`parley_outbox:${userId}:${chatId}`, () => sendAll(chatId));
    } finally {
      busy.delete(chatId);
    }
    // Stopped and started again, or written into, while the last try was ending.
    if (shelf.next(chatId)) void drain(chatId);
  }

  async function sendAll(chatId: string): Promise<void> {
    const mine = carrier;
    let tries = 0;
    for (let item = shelf.next(chatId); item && mine && mine === carrier; item = shelf.next(chatId)) {
      tries = await sendOne(mine, item, tries);
    }
  }

  /** Makes one try; answers how many the message whose turn is next has had. */
  async function sendOne(mine: Carrier, item: Outgoing, tries: number): Promise<number> {
    if (Date.now() - item.at > GIVE_UP_AFTER_MS) {
      shelf.put({ ...item, failed: 'It could not be sent for 24 hours.' });
      return 0;
    }
    const verdict = await attempt(() => mine(item, tries < SOCKET_TRIES ? 'socket' : 'http'));
    if (verdict.kind === 'sent') shelf.take(item.clientId);
    if (mine !== carrier || !shelf.get(item.clientId)) return 0;
    if (verdict.kind === 'refused') shelf.put({ ...item, failed: verdict.reason });
    if (verdict.kind !== 'later') return 0;
    await rest(backoff(tries, verdict.notBeforeMs));
    return tries + 1;
  }

  /** Waits until it is time for another try, or somebody wakes us. */
  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const rise = () => {
        clearTimeout(timer);
        resting.delete(rise);
        resolve();
      };
      const timer = setTimeout(rise, ms);
      resting.add(rise);
    });
  }

  return {
    list: shelf.list,
    subscribe: shelf.subscribe,
    add: (chatId, content, note = false) => {
      shelf.put({ clientId: newClientId(), chatId, content, note, at: Date.now(), failed: null });
      void drain(chatId);
    },
    retry: (clientId) => {
      const item = shelf.get(clientId);
      if (!item) return;
      shelf.put({ ...item, at: Date.now(), failed: null });
      void drain(item.chatId);
    },
    remove: shelf.take,
    wake,
    start: (given) => {
      carrier = given;
      const unfollow = shelf.follow(wake);
      wake();
      return () => {
        if (carrier === given) carrier = null;
        unfollow();
        for (const rise of [...resting]) rise();
      };
    },
  };
}

/**
 * Runs when no other tab is at it, or has held the turn for so long that it may be one that the system has suspended.
 * Browsers offer locks on secure pages only, and refuse them where they keep nothing; without, as in two tabs at once, the
 * server tells repeats apart.
 */
async function inTurn(name: string, run: () => Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const late = setTimeout(() => waiting.abort(), TURN_MAX_MS);
  let begun = false;
  const begin = () => {
    clearTimeout(late);
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
