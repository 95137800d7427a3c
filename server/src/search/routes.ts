import type { Router } from 'express';
import type { SignedInGuard } from '../auth/guards.ts';
import { endpoints } from '../http/endpoint.ts';
import { text } from '../http/fields.ts';
import type { InputSchema } from '../http/validate.ts';
import { sitesOf } from '../sites/guards.ts';
import { SEARCH_MAX_LENGTH, type SearchApi } from './contract.ts';
import { searchEverything } from './hits.ts';

const searchSchema: InputSchema = { q: text({ label: 'q', max: SEARCH_MAX_LENGTH, optional: true, blank: true }) };

/** The REST call of the top bar's search. */
export function searchRoutes({ signedIn: authenticate }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<SearchApi>();

  on('GET /search', { authenticate, query: searchSchema }, async ({ caller, query }) => ({
    data: await searchEverything(await sitesOf(caller.user._id), query.q ?? ''),
  }));

  return router;
}
