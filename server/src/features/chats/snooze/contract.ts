import type { Chat } from '../contract.ts';

/** A chat can be snoozed for at most this many days: a year. */
export const SNOOZE_DAYS_MAX = 366;
/** The most chats of one site that may be snoozed at the same time. */
export const SNOOZED_MAX = 1_000;

/** Until when a chat is snoozed. */
export interface SnoozeBody {
  /** In the future. ISO 8601 with seconds and a time zone. */
  until: string;
}

/** The calls that snooze chats. */
export interface SnoozeApi {
  /**
   * Takes an open chat off the lists of waiting and active chats until a time, or sets another time. It comes back earlier if
   * its visitor writes.
   */
  'PUT /chats/:id/snooze': { body: SnoozeBody; data: { chat: Chat } };
  /** Brings a snoozed chat back now. */
  'DELETE /chats/:id/snooze': { data: { chat: Chat } };
}
