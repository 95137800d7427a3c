import type { OutgoingMessage, Storage, VisitorDetails } from './storage.ts';

/** The visitor's messages until the server has them: kept first, and sent by the live part when there is a connection. */
export interface Outbox {
  /** `from`: left in the offline form, with who wrote it. */
  add(content: string, from?: Required<VisitorDetails>): void;
  /** Tries a failed one anew. */
  retry(clientId: string): void;
  remove(clientId: string): void;
}

/** `onChange`: there is something to draw, and maybe to send. */
export function createOutbox(storage: Storage, onChange: () => void, now: () => number = Date.now): Outbox {
  function queue(message: Omit<OutgoingMessage, 'at'>): void {
    // The time is the order: two in one millisecond, or after the clock was put back, are still one after the other.
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
      // The id belongs to another text by now; every other retry keeps it, so that nothing can arrive twice.
      queue({ ...message, clientId: failed.code === 'ID_CONFLICT' ? uuid() : clientId });
    },
    remove(clientId) {
      storage.drop(clientId);
      onChange();
    },
  };
}

/** A random UUID. Not by `crypto.randomUUID`, which pages without https lack. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let hex = '';
  // Not by `Array.from`: Prototype.js and MooTools put one in its place that takes no function.
  for (const byte of bytes) hex += (byte + 256).toString(16).slice(1);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
