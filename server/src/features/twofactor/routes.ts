import type { Router } from 'express';
import { codeField, confirmationSchema, currentPasswordSchema, type SignedInGuard } from '#features/auth';
import { endpoints, type InputSchema } from '#platform/http';
import { disable, enable, renewCodes, setUp, type TwoFactorDeps } from './actions.ts';
import type { TwoFactorApi } from './contract.ts';

const enableSchema: InputSchema = { code: codeField(), ...currentPasswordSchema };

/** The REST calls of the second step. */
export function twoFactorRoutes(deps: TwoFactorDeps & { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<TwoFactorApi>();
  const authenticate = deps.signedIn;

  on('POST /auth/two-factor/setup', { authenticate }, async ({ caller }) => ({ data: await setUp(deps, caller) }));

  on('POST /auth/two-factor/enable', { authenticate, body: enableSchema }, async ({ caller, body }) => {
    const recoveryCodes = await enable(deps, caller, body);
    return { message: 'Two-factor authentication is on', data: { recoveryCodes } };
  });

  on('POST /auth/two-factor/disable', { authenticate, body: confirmationSchema }, async ({ caller, body }) => {
    await disable(deps, caller, body);
    return { message: 'Two-factor authentication is off', data: {} };
  });

  on('POST /auth/two-factor/recovery-codes', { authenticate, body: confirmationSchema }, async ({ caller, body }) => ({
    message: 'Your old recovery codes no longer work',
    data: { recoveryCodes: await renewCodes(deps, caller, body) },
  }));

  return router;
}
