import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Heard, useHeard } from '../../lib/heard.ts';
import { keys } from '../../lib/query.ts';
import { throttle } from '../../lib/timing.ts';

/** A rush of chats is one reason to count again, not many. */
const COUNT_AFTER_MS = 500;

/** Keeps the counts of the sites' chats as they are, for as long as somebody looks at them. */
export function useSiteCounts(): void {
  const client = useQueryClient();
  const reload = useCallback(() => void client.invalidateQueries({ queryKey: keys.sites }), [client]);
  useHeard(
    useMemo(() => heardBy(client), [client]),
    reload,
  );
}

function heardBy(client: QueryClient): Heard {
  const count = throttle(() => void client.invalidateQueries({ queryKey: keys.sites }), COUNT_AFTER_MS);
  return { new_chat: count, chat_status_changed: count, chat_deleted: count, visitor_erased: count };
}
