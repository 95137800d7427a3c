import { useEffect, useMemo, useRef } from 'react';
import type { Chat } from 'server/contract';
import { type SocketHandlers, useSocketEvents } from '../../../lib/socket.tsx';
import { throttle } from '../../../lib/timing.ts';

/**
 * Throttle: many changes at once are one reason to count again. The server shares its counts for less than this, so that
 * none from before the change is taken.
 */
const RECOUNT_AFTER_MS = 1_000;
/** Chats whose last state is remembered. */
const REMEMBERED_MAX = 1_000;

/** Calls `recount` with every connection, and throttled when an event may have changed how many chats are counted. */
export function useCountChanges(enabled: boolean, recount: (options: { cancelRefetch: boolean }) => void): void {
  const states = useRef(new Map<string, string>());
  const changed = useMemo(() => throttle(() => recount({ cancelRefetch: true }), RECOUNT_AFTER_MS), [recount]);
  useEffect(() => {
    if (!enabled) states.current.clear();
  }, [enabled]);
  /** Most events of a chat change nothing that is counted. */
  const onChat = ({ chat }: { chat: Chat }) => {
    const held = states.current;
    const state = stateOf(chat);
    if (held.get(chat._id) === state) return;
    if (held.size >= REMEMBERED_MAX) held.clear();
    held.set(chat._id, state);
    changed();
  };
  const handlers: SocketHandlers = {
    new_chat: onChat,
    chat_updated: onChat,
    chat_deleted: changed,
    visitor_erased: changed,
    site_updated: changed,
  };
  // The first connection comes while the counts are loading.
  const onConnect = () => recount({ cancelRefetch: false });
  useSocketEvents(enabled ? handlers : {}, enabled ? onConnect : undefined);
}

/** Everything of a chat that decides where it is counted. */
function stateOf({ status, unread, claimedBy, tags }: Chat): string {
  return JSON.stringify([status, unread > 0, claimedBy?._id, tags]);
}
