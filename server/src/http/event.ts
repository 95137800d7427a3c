import { accept, type Rules } from './accept.ts';
import type { Ack } from './contract.ts';
import { asAppError } from './errors.ts';

/** Where failures that are nobody's mistake but ours go. */
export type Report = (error: unknown, what: string) => void;

/**
 * A listener for one socket event: checks the payload, runs the handler, acknowledges. A packet without an
 * acknowledgement function is dropped: every event of the contract asks for one. Nothing it does can throw.
 * @param rules what the payload may hold
 * @param handler gets the accepted payload, gives the acknowledgement's data
 * @param report told of bugs
 * @param acked told how each acknowledgement turned out: `OK`, or the refusal's code
 */
export function answering<Payload, Data>(
  rules: Rules,
  handler: (payload: Payload) => Promise<Data>,
  report: Report,
  acked: (outcome: string) => void,
): (...args: unknown[]) => Promise<void> {
  return async (payload, ack) => {
    if (typeof ack !== 'function') return;
    const answer = await outcome(rules, payload, handler, report);
    ack(answer);
    acked(answer.ok ? 'OK' : answer.code);
  };
}

async function outcome<Payload, Data>(
  rules: Rules,
  payload: unknown,
  handler: (payload: Payload) => Promise<Data>,
  report: Report,
): Promise<Ack<Data>> {
  try {
    return { ok: true, ...(await handler((await accept(rules, payload)) as Payload)) };
  } catch (error) {
    return refusal(error, report);
  }
}

/** Any thrown value as the acknowledgement of a refusal. */
function refusal(error: unknown, report: Report): Extract<Ack, { ok: false }> {
  const known = asAppError(error);
  if (!known) {
    report(error, 'socket event');
    return { ok: false, code: 'INTERNAL', message: 'Something went wrong on our side.', retryable: true };
  }
  return {
    ok: false,
    code: known.code,
    message: known.message,
    retryable: known.status === 429 || known.status >= 500,
    ...(known.retryAfter === undefined ? {} : { retryAfterMs: known.retryAfter * 1000 }),
  };
}
