import type { ChatDoc } from '../chats/model.ts';
import type { Presence } from '../presence/presence.ts';

/**
 * What handing out works with besides the store. All else that it goes by stands in the chats, and each step is one
 * guarded write: several nodes may do it side by side.
 */
export interface AssignDeps {
  presence: Pick<Presence, 'agentIsOnline' | 'agentIsConnected'>;
  /** The ids of those who have a chat open. */
  viewersOf: (chat: ChatDoc) => Promise<Set<string>>;
  /** Milliseconds */
  now: () => number;
}
