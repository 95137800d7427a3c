import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { endpoints, invalid, type Limits, sentence } from '#platform/http';
import { changeChats } from './change.ts';
import type { BulkApi, BulkChange } from './contract.ts';
import { bulkSchema } from './schema.ts';

/** The call for several chats; each is authorized by itself. */
export function bulkRoutes({ signedIn: { orKey }, limits }: { signedIn: SignedInGuard; limits: Limits }): Router {
  const { router, on } = endpoints<BulkApi>();

  on('POST /chats/bulk', { authenticate: orKey.reply, body: bulkSchema }, async ({ caller, body }) => {
    refuseIncomplete(body);
    await limits.take('bulkChangesPerAccount', caller.user._id.toHexString(), body.chatIds.length);
    return { data: { results: await changeChats(caller, body.chatIds, body) } };
  });

  return router;
}

const NEEDS = {
  close: null,
  reopen: null,
  tag: 'tag',
  untag: 'tag',
  transfer: 'userId',
  department: 'department',
} as const;

/** @throws AppError 422 when the action lacks what it needs */
function refuseIncomplete(change: BulkChange): void {
  const needed = NEEDS[change.action];
  if (needed && !(needed in change))
    throw invalid([{ msg: sentence('{field} is required', { field: needed }), path: needed }]);
}
