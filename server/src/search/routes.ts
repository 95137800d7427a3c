import type { Router } from 'express';
import type { SignedInGuard } from '../auth/guards.ts';
import { endpoints } from '../http/endpoint.ts';
import { sitesOf } from '../sites/guards.ts';
import type { SearchApi } from './contract.ts';
import { findAll } from './hits.ts';
import { searchRules } from './rules.ts';

/** The call of the top bar. */
export function searchRoutes({ signedIn: who }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<SearchApi>();

  on('GET /search', { who, query: searchRules }, async ({ caller, query }) => ({
    data: await findAll(await sitesOf(caller.user._id), query.q ?? ''),
  }));

  return router;
}
