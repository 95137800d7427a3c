import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { Chat } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { useSocketEvents } from '../../../lib/socket.tsx';
import { throttle } from '../../../lib/timing.ts';

/**
 * Throttle: many changes at once are one reason to count again. The server shares its counts for less than this, so that
 * none from before the change is taken.
 */
const RECOUNT_AFTER_MS = 1_000;
/** Chats whose last state is remembered. */
const REMEMBERED_MAX = 1_000;

/** Counts the chats of the inbox again when an event may have changed how many there are. Mounted once. */
export function useCountChanges(): void {
  const client = useQueryClient();
  const states = useRef(new Map<string, string>());
  const recount = useMemo(
    () => throttle(() => void client.invalidateQueries({ queryKey: keys.counts() }), RECOUNT_AFTER_MS),
    [client],
  );
  /** Most events of a chat change nothing that is counted. */
  const onChat = ({ chat }: { chat: Chat }) => {
    const held = states.current;
    const state = stateOf(chat);
    if (held.get(chat._id) === state) return;
    if (held.size >= REMEMBERED_MAX) held.clear();
    held.set(chat._id, state);
    recount();
  };
  useSocketEvents(
    { new_chat: onChat, chat_updated: onChat, chat_deleted: recount, visitor_erased: recount, site_updated: recount },
    // What happened while there was no connection is not remembered.
    () => {
      states.current.clear();
      recount();
    },
  );
}

/** Everything of a chat that decides where it is counted. */
function stateOf({ status, unread, snoozedUntil, assistant, claimedBy, tags, department }: Chat): string {
  return JSON.stringify([status, unread > 0, !snoozedUntil, assistant?.active, claimedBy?._id, tags, department?._id]);
}
