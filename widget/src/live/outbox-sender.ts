import { backoff } from 'browser/backoff';
import type { Ack, Message, VisitorChat } from 'server/contract';
import type { OutgoingMessage, Storage } from '../chat/storage.ts';
import type { Lock } from './lock.ts';

/** After this many failures over the socket a message is sent over HTTP. */
const SOCKET_TRIES = 2;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** A wait of this length or longer is explained to the visitor. */
const LONG_WAIT_MS = 30_000;

export type SendAck = Ack<{ message: Message; chat: VisitorChat }>;

export interface OutboxSenderOptions {
  storage: Storage;
  /** Held while a message is sent, in any tab. */
  lock: Lock;
  overSocket(message: OutgoingMessage): Promise<SendAck>;
  overHttp(message: OutgoingMessage): Promise<SendAck>;
  /** The server has stored it. The message leaves the outbox when this is done. */
  onSent(message: Message, chat: VisitorChat): Promise<void>;
  onFailed(failure: { code: string; message: string }): void;
  now?(): number;
  random?(): number;
}

export type OutboxSender = ReturnType<typeof createOutboxSender>;

/** Sends the outbox: one message at a time, in order, with retries until it is stored or refused. */
export function createOutboxSender(options: OutboxSenderOptions) {
  const { storage, now = Date.now, random = Math.random } = options;
  let failures = 0;
  let busy = false;
  /** `retryNow` was called during a try, so no delay follows that try. */
  let skipsDelay = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function next(): OutgoingMessage | undefined {
    return stopped ? undefined : storage.outgoing().find((message) => !message.failed);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    if (busy) return;
    busy = true;
    let delay = 0;
    for (let message = next(); message && !delay; message = next()) {
      const { clientId } = message;
      // An error in drawing must not stop the messages behind this one.
      delay = await options.lock(() => deliver(clientId).catch(() => backoff(failures++, random)));
    }
    busy = false;
    if (delay) timer = setTimeout(flush, skipsDelay ? 0 : delay);
    skipsDelay = false;
  }

  /** Tries one message once. @returns how long to wait before the next try; 0: it is stored or has failed for good */
  async function deliver(clientId: string): Promise<number> {
    // Read again under the lock: another tab may have sent it meanwhile.
    const entry = storage.outgoing().find((message) => message.clientId === clientId);
    if (!entry || entry.failed) return 0;
    if (now() - entry.at > GIVE_UP_AFTER_MS) return fail(entry, { code: 'EXPIRED', message: '' });
    const ack = await options[failures < SOCKET_TRIES && !entry.from ? 'overSocket' : 'overHttp'](entry);
    if (ack.ok) {
      failures = 0;
      await options.onSent(ack.message, ack.chat).finally(() => storage.drop(clientId));
      return 0;
    }
    const { code, message, retryAfterMs = 0 } = ack;
    if (!ack.retryable) return fail(entry, { code, message });
    // Once only: each write wakes the other tabs, which then try, too.
    if (retryAfterMs >= LONG_WAIT_MS && !entry.why) storage.put({ ...entry, why: message });
    return Math.max(retryAfterMs, backoff(failures++, random));
  }

  function fail(entry: OutgoingMessage, failed: { code: string; message: string }): number {
    failures = 0;
    storage.put({ ...entry, failed });
    options.onFailed(failed);
    return 0;
  }

  return {
    /** Sends, unless that is under way. */
    send: () => void flush(),
    /** Tries at once, as there is a connection again. */
    retryNow(): void {
      failures = 0;
      skipsDelay = busy;
      void flush();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
