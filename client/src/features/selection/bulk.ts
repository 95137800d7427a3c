import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BulkChange, Chat } from 'server/contract';
import { putChats } from '#features/chats';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { showFailure } from '../../ui/failureToast.tsx';
import { failureOf, toastOutcome } from './outcome.tsx';

/** A change with the name of the person or department that chats are given to. */
export type NamedChange = BulkChange & { name?: string };

/**
 * Makes one change to several chats, and says in a toast what happened to them, with an undo where there is one.
 * @param onDone receives the ids of the chats that were refused
 */
export function useBulkChange(onDone: (refused: string[]) => void) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async ({ change, chats }: { change: BulkChange; chats: readonly Chat[] }) =>
      (await call('POST /chats/bulk', { body: { ...change, chatIds: chats.map(({ _id }) => _id) } })).results,
  });
  const run = async ({ name = '', ...change }: NamedChange, chats: readonly Chat[], then = onDone): Promise<void> => {
    try {
      const results = await mutateAsync({ change, chats });
      putChats(
        client,
        results.flatMap((result) => (result.outcome === 'refused' ? [] : result.chat)),
      );
      if (change.action === 'tag' || change.action === 'untag') void client.invalidateQueries({ queryKey: TAGS });
      then(results.flatMap(({ chatId, outcome }) => (outcome === 'refused' ? chatId : [])));
      const back = inverseOf(change);
      const done = results.flatMap((result) => (result.outcome === 'done' ? result.chat : []));
      const undo = back && done.length > 0 ? () => void run(back, done, () => {}) : null;
      toastOutcome({ change: { ...change, name }, results, chats, undo });
    } catch (error) {
      showFailure(error, failureOf(change), () => void run({ ...change, name }, chats, then));
    }
  };
  return { run: (change: NamedChange, chats: readonly Chat[]) => void run(change, chats), isPending };
}

/** The prefix of the tags to choose from. */
const TAGS = keys.tags(null).slice(0, 1);

/** The change that takes another one back; null: there is none. */
function inverseOf(change: BulkChange): BulkChange | null {
  if (change.action === 'close') return { action: 'reopen' };
  if (change.action === 'tag') return { action: 'untag', tag: change.tag };
  return change.action === 'untag' ? { action: 'tag', tag: change.tag } : null;
}
