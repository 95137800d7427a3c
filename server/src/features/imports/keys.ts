import { sha256 } from '#platform/secrets';
import { HOUR_MS, MINUTE_MS } from '#platform/time';

/** The sha256 of a key is cut to 132 bits. */
const KEY_LENGTH = 22;
/** The largest difference between two time zones. */
const ZONES_APART_MS = 26 * HOUR_MS;
/** Offsets of time zones are multiples of a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** Keys are hashed, so that they reveal neither the person nor the conversation. */
export function keyOf(text: string): string {
  return sha256(text).slice(0, KEY_LENGTH);
}

/**
 * The idempotency key of a conversation in one of the sources from which a site has imported. All products number their
 * conversations from 1, so the times at which they began decide which source a file is from.
 * @param source 0 is the first one, whose keys are those of the last release
 */
export function keyInSource(key: string, source: number): string {
  return source === 0 ? key : keyOf(`${source}:${key}`);
}

/** Whether two conversations of one number are the same one: they began together, even if the time zone was another one. */
export function beganTogether(a: number, b: number): boolean {
  return Math.abs(a - b) <= ZONES_APART_MS && (a - b) % QUARTER_MS === 0;
}

/** The key of a person of whom only one conversation is known, which began at that time. */
export function keyOfNameless(conversation: string, begun: number): string {
  return keyOf(`${conversation}:${begun % QUARTER_MS}`);
}
