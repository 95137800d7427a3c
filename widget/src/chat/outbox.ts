import { uuid } from 'browser/uuid';
import type { OutgoingMessage, Storage } from './storage.ts';

/** How often it is checked whether texts are sent. */
const SENT_POLL_MS = 200;

/**
 * Puts a message into the outbox: the browser's storage, before it is shown or sent. Nothing is sent of a blank text.
 * @param more what stood in the offline form above it, or the department that it is for @param clientId of a message that is queued again
 */
export function queueMessage(
  storage: Storage,
  content: string,
  more?: Pick<OutgoingMessage, 'from' | 'department'>,
  clientId = uuid(),
  now = Date.now(),
): void {
  const text = content.trim();
  // `at` is the order of sending, so it must grow, even within a millisecond or after the clock was set back.
  const at = Math.max(now, (storage.outgoing().pop()?.at ?? 0) + 1);
  if (text) storage.put({ clientId, content: text, at, ...more });
}

/** Queues a failed message again. */
export function retryFailed(storage: Storage, clientId: string): void {
  const entry = storage.outgoing().find((message) => message.clientId === clientId);
  if (!entry?.failed) return;
  const { content, from, department, failed } = entry;
  storage.drop(clientId);
  // The server has another text under this id. Every other retry keeps its id, so that no message is stored twice.
  queueMessage(storage, content, { from, department }, failed.code === 'ID_CONFLICT' ? undefined : clientId);
}

/**
 * Resolves when the texts written up to a time are stored or refused, for what must come after them.
 * @param isOver whether to wait no longer
 */
export async function textsSent(storage: Storage, by: number, isOver: () => boolean): Promise<void> {
  const isUnsent = () => storage.outgoing().some(({ at, failed }) => !failed && at <= by);
  while (isUnsent() && !isOver()) await new Promise((look) => setTimeout(look, SENT_POLL_MS));
}
