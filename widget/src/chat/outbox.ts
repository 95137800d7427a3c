import type { OutgoingMessage, Storage } from './storage.ts';

/** How often it is checked whether texts are sent. */
const SENT_POLL_MS = 200;

/** The visitor's messages until the server has stored them. Each is in the browser's storage before it is shown or sent. */
export interface Outbox {
  /** @param from what else stood in the offline form, where the message was left in it */
  add(content: string, from?: OutgoingMessage['from']): void;
  /** Queues a failed message again. */
  retry(clientId: string): void;
  remove(clientId: string): void;
}

/** @param onChange is called after each change, to draw and to send */
export function createOutbox(storage: Storage, onChange: () => void, now: () => number = Date.now): Outbox {
  function queue(message: Omit<OutgoingMessage, 'at'>): void {
    // `at` is the order of sending, so it must grow, even within a millisecond or after the clock was set back.
    storage.put({ ...message, at: Math.max(now(), (storage.outgoing().pop()?.at ?? 0) + 1) });
    onChange();
  }

  return {
    add: (content, from) => queue({ clientId: uuid(), content, ...(from && { from }) }),
    retry(clientId) {
      const entry = storage.outgoing().find((message) => message.clientId === clientId);
      if (!entry?.failed) return;
      const { failed, ...message } = entry;
      storage.drop(clientId);
      // The server has another text under this id. Every other retry keeps its id, so that no message is stored twice.
      queue({ ...message, clientId: failed.code === 'ID_CONFLICT' ? uuid() : clientId });
    },
    remove(clientId) {
      storage.drop(clientId);
      onChange();
    },
  };
}

/**
 * Resolves when the texts written up to a time are stored or refused, for what must come after them.
 * @param isOver whether to wait no longer
 */
export async function textsSent(storage: Storage, by: number, isOver: () => boolean): Promise<void> {
  const isUnsent = () => storage.outgoing().some(({ at, failed }) => !failed && at <= by);
  while (isUnsent() && !isOver()) await new Promise((look) => setTimeout(look, SENT_POLL_MS));
}

/** A random UUID. `crypto.randomUUID` exists on https pages only. */
export function uuid(): string {
  // Each 0 and 1 becomes a random digit, the 8 one of 8 to b.
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (+digit ^ (random & (15 >> (+digit / 4)))).toString(16);
  });
}
