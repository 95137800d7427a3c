import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EncodedEvent } from '#platform/events';

/** An entry of the stream. `count` numbers the entries of a node without gaps, so that others notice what they missed. */
export interface Entry {
  node: string;
  count: number;
  events: EncodedEvent[];
}

/** The fields of an entry in Redis. */
export type SentEntry = Record<string, string>;

/** Writes and reads entries. */
export interface Entries {
  encode(entry: Entry): SentEntry;
  /** @returns null for what no node of this installation has written */
  decode(sent: SentEntry): Entry | null;
}

/**
 * Signs the entries with a key that only the nodes of an installation have: whoever reaches Redis can neither show people a
 * message that was never stored nor silence a node by speaking in its name.
 * @param secret that of all nodes
 * @param name that of the installation
 */
export function signedEntries(secret: string, name: string): Entries {
  const key = createHmac('sha256', secret).update(`parley stream ${name}`).digest();
  const signatureOf = ({ n, c, e }: SentEntry) =>
    createHmac('sha256', key).update(`${n} ${c} ${e}`).digest('base64url');
  return {
    encode(entry) {
      const sent = plainEntries.encode(entry);
      return { ...sent, s: signatureOf(sent) };
    },
    decode: (sent) => (areEqual(sent.s ?? '', signatureOf(sent)) ? plainEntries.decode(sent) : null),
  };
}

function areEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Entries without a signature. */
export const plainEntries: Entries = {
  encode: ({ node, count, events }) => ({ n: node, c: String(count), e: JSON.stringify(events) }),
  decode({ n: node = '', c, e = '' }) {
    const [count, events] = [Number(c), parsed(e)];
    return node !== '' && Number.isSafeInteger(count) && Array.isArray(events) && events.every(isEvent)
      ? { node, count, events }
      : null;
  },
};

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isEvent(event: unknown): event is EncodedEvent {
  return typeof event === 'object' && event !== null && 'name' in event && typeof event.name === 'string';
}
