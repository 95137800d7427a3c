import type { AckFn } from '../http/contract.ts';

/** How long a lost connection still counts as online, in milliseconds. */
export const PRESENCE_GRACE_MS = 10_000;

/** A person came or went: a teammate, or a visitor of one of the chats. */
export type PresenceFact =
  | { kind: 'agent'; userId: string; siteId: string }
  | { kind: 'visitor'; visitorId: string; siteId: string; chatId?: string };

/** The dashboard socket's events about who is online. */
export interface PresenceEvents {
  user_online: (event: PresenceFact) => void;
  user_offline: (event: PresenceFact) => void;
}

/** The dashboard's requests about its own user. */
export interface PresenceRequests {
  /** Whether this agent takes chats; stored until it is switched again. */
  set_availability: (ask: { online: boolean }, ack: AckFn<{ online: boolean }>) => void;
}
