import type { Ack, Message, VisitorChat } from 'server/contract';
import type { Outgoing, Storage } from '../chat/storage.ts';
import { backoff } from './backoff.ts';
import type { Lock } from './lock.ts';

/** After so many tries over the socket a message goes over HTTP. */
const SOCKET_TRIES = 2;
const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** Whoever must wait so long is told why. */
const LONG_WAIT_MS = 30_000;

export type SendAck = Ack<{ message: Message; chat: VisitorChat }>;

export interface PostmanOptions {
  storage: Storage;
  /** Held by whoever sends, in any tab. */
  lock: Lock;
  overSocket(message: Outgoing): Promise<SendAck>;
  overHttp(message: Outgoing): Promise<SendAck>;
  /** The server has it. The message leaves the outbox when this is done. */
  onSent(message: Message, chat: VisitorChat): Promise<void>;
  onFailed(failure: { code: string; message: string }): void;
  onChange(): void;
  now?(): number;
  random?(): number;
}

/** Takes messages out of the outbox to the server: one at a time in order, as often as it takes. */
export interface Postman {
  /** Goes, if there is something to send and he is not waiting his turn. */
  go(): void;
  /** Tries at once: there is a connection again, or another tab left something. */
  hurry(): void;
  stop(): void;
}

export function createPostman(options: PostmanOptions): Postman {
  const { storage, now = Date.now, random = Math.random } = options;
  let misses = 0;
  let busy = false;
  /** The try that is under way began before there was a connection. */
  let hurried = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function change(write: () => void): void {
    write();
    options.onChange();
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
      // What fails while it is drawn must not hold up what waits.
      delay = await options.lock(() => deliver(clientId).catch(() => backoff(misses++, random)));
    }
    busy = false;
    if (delay) timer = setTimeout(flush, hurried ? 0 : delay);
    hurried = false;
  }

  /** Tries one message once; gives how long to wait before the next try, 0 if it is settled. */
  async function deliver(clientId: string): Promise<number> {
    // Read again under the lock: another tab may have settled it meanwhile.
    const entry = storage.outgoing().find((message) => message.clientId === clientId);
    if (!entry || entry.failed) return 0;
    if (now() - entry.at > GIVE_UP_AFTER_MS) return fail(entry, { code: 'EXPIRED', message: '' });
    const ack = await options[misses < SOCKET_TRIES && !entry.from ? 'overSocket' : 'overHttp'](entry);
    if (ack.ok) {
      misses = 0;
      await options.onSent(ack.message, ack.chat).finally(() => storage.drop(clientId));
      options.onChange();
      return 0;
    }
    const { code, message, retryAfterMs = 0 } = ack;
    if (!ack.retryable) return fail(entry, { code, message });
    // Once: what is written wakes the other tabs, which try it, too.
    if (retryAfterMs >= LONG_WAIT_MS && !entry.why) change(() => storage.put({ ...entry, why: message }));
    return Math.max(retryAfterMs, backoff(misses++, random));
  }

  function fail(entry: Outgoing, failed: { code: string; message: string }): number {
    misses = 0;
    change(() => storage.put({ ...entry, failed }));
    options.onFailed(failed);
    return 0;
  }

  return {
    go: () => void flush(),
    hurry() {
      misses = 0;
      hurried = busy;
      void flush();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
