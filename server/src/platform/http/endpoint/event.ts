import type { Ack, Refusal } from '../contract.ts';
import { asAppError, internal } from '../errors.ts';
import { partsOf } from '../sentence.ts';
import { type InputSchema, validate } from './validate.ts';

/** Logs an unexpected error, which is a bug of the server. */
export type Report = (error: unknown, what: string) => void;

/** One socket event of the contract, with the steps that handle it. */
export interface RegisteredEvent<Payload, Access, Data> {
  /** Authorizes the sender and counts the request, before the more expensive check of the payload. Throws 401, 403, 429. */
  admit: () => Promise<Access>;
  /** Delays the work and its answer until it is the connection's turn. */
  inTurn?: ((work: () => Promise<void>) => Promise<void>) | undefined;
  /** The schema of the payload. */
  rules: InputSchema;
  /** Receives the validated payload and the result of `admit`. @returns the acknowledgement's data */
  handler: (payload: Payload, access: Access) => Promise<Data>;
  /** Receives bugs. */
  report: Report;
  /** Receives the result of the acknowledgement: `OK`, or the error code. */
  acked: (outcome: string) => void;
}

/**
 * Handles one packet: authorizes the sender, validates the payload, runs the handler, acknowledges. A packet without an
 * acknowledgement function is dropped, because every event of the contract requires one. Never throws.
 */
export async function handleSocketEvent<Payload, Access, Data>(
  { admit, inTurn = (work) => work(), rules, handler, report, acked }: RegisteredEvent<Payload, Access, Data>,
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

/** Converts any thrown value to a negative acknowledgement. */
function refusal(error: unknown, report: Report): Refusal {
  const appError = asAppError(error);
  if (!appError) report(error, 'socket event');
  const { status, code, message, text, retryAfter } = appError ?? internal();
  return {
    ok: false,
    code,
    message,
    ...partsOf(text),
    retryable: status === 429 || status >= 500,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 }),
  };
}
