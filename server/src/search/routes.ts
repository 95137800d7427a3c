import type { Router } from 'express';
import type { SignedInGuard } from '../auth/guards.ts';
import { chatFor } from '../chats/guards.ts';
import { SEQ_MAX } from '../chats/schemas.ts';
import { endpoints } from '../http/endpoint.ts';
import { text, wholeQuery } from '../http/fields.ts';
import type { InputSchema } from '../http/validate.ts';
import { requirement, sitesOf } from '../sites/guards.ts';
import { SEARCH_MAX_LENGTH, type SearchApi } from './contract.ts';
import { searchEverything } from './hits.ts';
import { searchInChat } from './inChat.ts';

const q = text({ label: 'q', max: SEARCH_MAX_LENGTH, optional: true, blank: true });
const searchSchema: InputSchema = { q };
const chatSearchSchema: InputSchema = { q, before: wholeQuery('before', 1, SEQ_MAX) };

/** The REST calls of searches. */
export function searchRoutes({ signedIn: { orKey } }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<SearchApi>();

  on('GET /search', { authenticate: orKey.read, query: searchSchema }, async ({ caller, query }) => ({
    data: await searchEverything(await sitesOf(caller), query.q ?? ''),
  }));

  on(
    'GET /chats/:id/search',
    { authenticate: orKey.read, authorize: requirement(chatFor)('chats.read'), query: chatSearchSchema },
    async ({ access, query }) => ({ data: await searchInChat(access.chat._id, query.q ?? '', query.before) }),
  );

  return router;
}
