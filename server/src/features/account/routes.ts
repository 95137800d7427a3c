import type { Router } from 'express';
import { confirmationSchema, type SignedInGuard } from '#features/auth';
import { endpoints } from '#platform/http';
import type { AccountApi } from './contract.ts';
import { type DeleteAccountDeps, deleteAccount } from './deleteAccount.ts';
import { accountJson } from './export.ts';

/** The REST calls that export and delete one's own account. */
export function accountRoutes(deps: DeleteAccountDeps & { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<AccountApi>();
  const authenticate = deps.signedIn;

  on(
    'GET /auth/account/export',
    { authenticate, files: ['application/json'] },
    async ({ caller: { user, sessionId } }) => ({
      file: accountJson(user, await deps.sessions.list(user), sessionId),
      fileName: 'parley-account.json',
    }),
  );

  on('DELETE /auth/account', { authenticate, body: confirmationSchema }, async ({ caller, body }) => {
    await deleteAccount(deps, caller, body);
    return { message: 'Your account was deleted', data: {} };
  });

  return router;
}
