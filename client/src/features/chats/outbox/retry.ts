import { ApiError } from '../../../lib/api.ts';
import { SocketError } from '../../../lib/socket.tsx';

/** The pauses between tries, in milliseconds; the last one repeats. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** A pause is this much shorter or longer by chance, so that a crowd does not come back all at once. */
const JITTER = 0.2;

/** What became of one try. */
export type Verdict = { kind: 'sent' } | { kind: 'later'; notBeforeMs: number } | { kind: 'refused'; reason: string };

/** Makes one try and tells a failure that may pass from one that will not. */
export async function attempt(send: () => Promise<void>): Promise<Verdict> {
  try {
    await send();
    return { kind: 'sent' };
  } catch (error) {
    if (error instanceof SocketError && error.code !== 'UNAUTHORIZED' && !error.retryable) return refused(error);
    if (error instanceof SocketError) return { kind: 'later', notBeforeMs: error.retryAfterMs ?? 0 };
    if (error instanceof ApiError && isFinal(error.status)) return refused(error);
    return { kind: 'later', notBeforeMs: 0 };
  }
}

/** How long to wait after the `tries`-th try (from 0), in milliseconds. */
export function backoff(tries: number, notBeforeMs: number): number {
  const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0;
  return Math.max(notBeforeMs, pause * (1 - JITTER + 2 * JITTER * Math.random()));
}

/** A dead session says nothing about the message: it goes out after the next login. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429;
}

function refused({ message }: Error): Verdict {
  return { kind: 'refused', reason: message };
}
