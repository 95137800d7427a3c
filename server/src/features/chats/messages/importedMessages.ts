import { createHash } from 'node:crypto';
import { uuidOf } from '#platform/secrets';
import { HOUR_MS } from '#platform/time';
import { maskCardNumbers } from './cardNumbers.ts';

/** A message of another chat. */
export interface ImportedMessage {
  /** Its number in its conversation, from 1 without gaps. */
  seq: number;
  /** Milliseconds */
  at: number;
  sender: 'visitor' | 'agent';
  name: string | null;
  text: string;
}

/** A message as it is stored: the thread that reads the file masks and hashes, so that nothing waits for it. */
export interface PreparedMessage extends ImportedMessage {
  id: string;
  clientId: string;
}

/** Ids are so old that they are behind the checkpoints of the reconciler, which does not take the messages for new ones. */
const IDS_OLDER_MS = HOUR_MS;

/** Prepares messages of a chat. @param mask whether card numbers are masked */
export function prepareMessages(messages: ImportedMessage[], chat: string, mask: boolean): PreparedMessage[] {
  return messages.map(({ text, ...message }) => ({
    ...message,
    ...importedIds(chat, message),
    text: mask ? maskCardNumbers(text) : text,
  }));
}

/** The ids of a message. A retry makes the same ones again, which the unique indexes refuse. */
export function importedIds(chat: string, { seq, at }: Pick<ImportedMessage, 'seq' | 'at'>) {
  return { id: importedId(at, `${chat}:${seq}`), clientId: uuidOf(`${chat}:${seq}`) };
}

/** An id of that time, by which a visitor's chats are in order; the rest of it follows from the text. */
export function importedId(at: number, text: string): string {
  const seconds = Math.floor(Math.min(at, Date.now() - IDS_OLDER_MS) / 1000);
  const rest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${seconds.toString(16).padStart(8, '0')}${rest}`;
}
