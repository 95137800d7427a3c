import type { MessageParts } from '#platform/http/contract';
import type { Chat } from '../contract.ts';

/** The most chats of one bulk change. */
export const BULK_MAX = 100;

/** One change that is made to each of several chats. */
export type BulkChange =
  | { action: 'close' | 'reopen' }
  /** Adds a tag, or takes it off. */
  | { action: 'tag' | 'untag'; tag: string }
  /** To a colleague, or with null back to the queue. */
  | { action: 'transfer'; userId: string | null }
  /** To the queue of a department; chats of other sites are refused. */
  | { action: 'department'; department: string };

/** The chats of a bulk change may belong to different sites. */
export type BulkBody = BulkChange & { chatIds: string[] };

/** What happened to one chat; `unchanged`: it already was what was asked for. */
export type BulkResult =
  | { chatId: string; outcome: 'done' | 'unchanged'; chat: Chat }
  | ({ chatId: string; outcome: 'refused'; code: string; message: string } & MessageParts);

/** The call for several chats. */
export interface BulkApi {
  /** Answers once for each chat, in the order of the ids; a chat that is refused does not stop the others. */
  'POST /chats/bulk': { body: BulkBody; data: { results: BulkResult[] } };
}
