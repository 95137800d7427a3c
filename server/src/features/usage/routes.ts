import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { siteFor } from '#features/sites';
import { endpoints } from '#platform/http';
import type { UsageApi } from './contract.ts';
import type { Usage } from './counter.ts';
import type { StorageWatch } from './watch.ts';

interface UsageDeps {
  signedIn: SignedInGuard;
  usage: Usage;
  watch: StorageWatch;
}

/** The calls about stored data. */
export function usageRoutes({ signedIn: authenticate, usage, watch }: UsageDeps): Router {
  const { router, on } = endpoints<UsageApi>();
  const { orKey } = authenticate;

  on(
    'GET /sites/:id/usage',
    { authenticate: orKey.manage, authorize: (caller, { id }) => siteFor(caller, id, 'sites.edit') },
    async ({ access: { site } }) => ({ data: { usage: usage.of(site._id.toHexString()) } }),
  );

  on('GET /notices', { authenticate }, async ({ caller }) => ({
    data: { notices: await watch.noticesFor(caller) },
  }));

  return router;
}
