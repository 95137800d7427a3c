import type { Ack } from './contract.ts';
import { asAppError } from './errors.ts';
import { type InputSchema, validate } from './validate.ts';

/** Where failures that are nobody's mistake but ours go. */
export type Report = (error: unknown, what: string) => void;

/** One event of the contract, as a gateway takes it. */
export interface WiredEvent<Payload, Access, Data> {
  /** Finds out who asks, and counts it: before the payload, whose check costs more, is looked at. Throws 401, 403, 429. */
  admit: () => Promise<Access>;
  /** Waits with the work, and its answer, for the connection's turn. */
  inTurn?: ((work: () => Promise<void>) => Promise<void>) | undefined;
  /** What the payload may hold. */
  rules: InputSchema;
  /** Gets the accepted payload and what `admit` found, gives the acknowledgement's data. */
  handler: (payload: Payload, access: Access) => Promise<Data>;
  /** Told of bugs. */
  report: Report;
  /** Told how the acknowledgement turned out: `OK`, or the refusal's code. */
  acked: (outcome: string) => void;
}

/**
 * Takes one packet: asks who it is from, checks the payload, runs the handler, acknowledges. A packet without an
 * acknowledgement function is dropped: every event of the contract asks for one. Nothing it does can throw.
 */
export async function takeEvent<Payload, Access, Data>(
  { admit, inTurn = (work) => work(), rules, handler, report, acked }: WiredEvent<Payload, Access, Data>,
  [payload, ack]: unknown[],
): Promise<void> {
  if (typeof ack !== 'function') return;
  const answer = (outcome: Ack<Data>) => {
    ack(outcome);
    acked(outcome.ok ? 'OK' : outcome.code);
  };
  try {
    const access = await admit();
    await inTurn(async () => {
      answer({ ok: true, ...(await handler((await validate(rules, payload)) as Payload, access)) });
    });
  } catch (error) {
    answer(refusal(error, report));
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
