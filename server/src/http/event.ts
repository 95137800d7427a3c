import { accept, type Rules } from './accept.ts';
import type { Ack } from './contract.ts';
import { asAppError } from './errors.ts';

/** Where failures that are nobody's mistake but ours go. */
export type Report = (error: unknown, what: string) => void;

/** One event of the contract, as a door takes it. */
export interface WiredEvent<Payload, Data> {
  /** What the payload may hold. */
  rules: Rules;
  /** Gets the accepted payload, gives the acknowledgement's data. */
  handler: (payload: Payload) => Promise<Data>;
  /** Told of bugs. */
  report: Report;
  /** Told how the acknowledgement turned out: `OK`, or the refusal's code. */
  acked: (outcome: string) => void;
}

/**
 * Takes one packet: checks the payload, runs the handler, acknowledges. A packet without an acknowledgement function is
 * dropped: every event of the contract asks for one. Nothing it does can throw.
 */
export async function takeEvent<Payload, Data>(
  { rules, handler, report, acked }: WiredEvent<Payload, Data>,
  [payload, ack]: unknown[],
): Promise<void> {
  if (typeof ack !== 'function') return;
  const answer = await outcome(rules, payload, handler, report);
  ack(answer);
  acked(answer.ok ? 'OK' : answer.code);
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
