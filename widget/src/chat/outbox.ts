import type { Ack, Message, VisitorChat, VisitorMessageBody } from 'server/contract';
import { backoff } from './backoff.ts';
import { exclusively } from './lock.ts';
import type { Outgoing, Storage } from './storage.ts';
import { uuid } from './uuid.ts';
import { words } from './words.ts';

/** After so many tries over the socket a message goes over HTTP. */
const SOCKET_TRIES = 2;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

export type SendAck = Ack<{ message: Message; chat: VisitorChat }>;

export interface OutboxOptions {
  storage: Storage;
  /** The name of the lock that tabs share. */
  lock: string;
  overSocket(body: VisitorMessageBody): Promise<SendAck>;
  overHttp(body: VisitorMessageBody): Promise<SendAck>;
  /** The server has it. The message leaves the outbox when this is done. */
  onSent(message: Message, chat: VisitorChat): Promise<void>;
  onFailed(failure: { code: string; message: string }): void;
  onChange(): void;
  now?(): number;
  random?(): number;
}

/** Messages until the server has them: kept first, then sent one at a time in order, as often as it takes. */
export interface Outbox {
  add(content: string): void;
  retry(clientId: string): void;
  remove(clientId: string): void;
  /** Tries at once: there is a connection again, or another tab left something. */
  hurry(): void;
  stop(): void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { storage, now = Date.now, random = Math.random } = options;
  let misses = 0;
  let busy = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function change(write: () => void): void {
    write();
    options.onChange();
  }

  function find(clientId: string): Outgoing | undefined {
    return storage.outgoing().find((message) => message.clientId === clientId);
  }

  function next(): Outgoing | undefined {
    return stopped ? undefined : storage.outgoing().find((message) => !message.failed);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    let delay = 0;
    for (let message = next(); message && !delay; message = next()) {
      const { clientId } = message;
      delay = await exclusively(options.lock, () => deliver(clientId));
    }
    busy = false;
    if (delay) timer = setTimeout(flush, delay);
  }

  /** Tries one message once; gives how long to wait before the next try, 0 if it is settled. */
  async function deliver(clientId: string): Promise<number> {
    // Read again under the lock: another tab may have settled it meanwhile.
    const entry = find(clientId);
    if (!entry || entry.failed) return 0;
    if (now() - entry.at > GIVE_UP_AFTER_MS) return fail(entry, { code: 'EXPIRED', message: words.expired });
    const body = { clientId, content: entry.content };
    const ack = await options[misses < SOCKET_TRIES ? 'overSocket' : 'overHttp'](body);
    if (ack.ok) {
      misses = 0;
      await options.onSent(ack.message, ack.chat);
      change(() => storage.drop(clientId));
      return 0;
    }
    if (!ack.retryable) return fail(entry, { code: ack.code, message: ack.message });
    return Math.max(ack.retryAfterMs ?? 0, backoff(misses++, random));
  }

  function fail(entry: Outgoing, failed: { code: string; message: string }): number {
    misses = 0;
    change(() => storage.put({ ...entry, failed }));
    options.onFailed(failed);
    return 0;
  }

  function queue(clientId: string, content: string): void {
    change(() => storage.put({ clientId, content, at: now() }));
    void flush();
  }

  return {
    add: (content) => queue(uuid(), content),
    retry(clientId) {
      const entry = find(clientId);
      if (!entry?.failed) return;
      storage.drop(clientId);
      // The id belongs to another text by now; every other retry keeps it, so that nothing can arrive twice.
      queue(entry.failed.code === 'ID_CONFLICT' ? uuid() : clientId, entry.content);
    },
    remove: (clientId) => change(() => storage.drop(clientId)),
    hurry() {
      misses = 0;
      void flush();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
