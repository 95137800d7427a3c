import type { Chat } from '../contract.ts';

/** Who gets a chat: a colleague, the queue (`userId` null), or the queue of a department. */
export type TransferBody = { userId: string | null; department?: undefined } | { userId?: null; department: string };

/** The calls that change who has a chat, and whether it is open. */
export interface TurnsApi {
  'POST /chats/:id/claim': { data: { chat: Chat } };
  'POST /chats/:id/close': { data: { chat: Chat } };
  /** Opens a closed chat again, as long as its visitor has begun no newer one; the caller is its claimer. */
  'POST /chats/:id/reopen': { data: { chat: Chat } };
  /** To a colleague, back to the queue, or to a department: into its queue, also away from its claimer. */
  'POST /chats/:id/transfer': { body: TransferBody; data: { chat: Chat } };
  /**
   * Puts a chat into a department, or with null into none; its claimer stays. One without claimer is then offered to the
   * department's members.
   */
  'PUT /chats/:id/department': { body: { department: string | null }; data: { chat: Chat } };
}
