import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { chatFor, SEQ_MAX } from '#features/chats';
import { requirement, sitesOf } from '#features/sites';
import { endpoints, type InputSchema, type Limits, text, unavailable, whenClosed, wholeQuery } from '#platform/http';
import { createLimiter } from '#platform/work';
import { SEARCH_MAX_LENGTH, type SearchApi } from './contract.ts';
import { searchEverything } from './hits.ts';
import { searchInChat } from './inChat.ts';

const q = text({ label: 'q', max: SEARCH_MAX_LENGTH, optional: true, blank: true });
const searchSchema: InputSchema = { q };
const chatSearchSchema: InputSchema = { q, before: wholeQuery('before', 1, SEQ_MAX) };

/** Searches in chats that run at once, of all accounts; an account runs one at a time, and may have this many waiting. */
const IN_CHATS_AT_ONCE = 2;
const WAITING_MAX = 5;
const TURN_MAX_MS = 20_000;

/** The REST calls of searches. */
export function searchRoutes({ signedIn: { orKey }, limits }: { signedIn: SignedInGuard; limits: Limits }): Router {
  const { router, on } = endpoints<SearchApi>();
  const turns = createLimiter(IN_CHATS_AT_ONCE, {
    waitMaxMs: TURN_MAX_MS,
    waitingMax: WAITING_MAX,
    refused: unavailable,
  });

  on('GET /search', { authenticate: orKey.read, query: searchSchema }, async ({ caller, query }) => ({
    data: await searchEverything(await sitesOf(caller), query.q ?? ''),
  }));

  on(
    'GET /chats/:id/search',
    { authenticate: orKey.read, authorize: requirement(chatFor)('chats.read'), query: chatSearchSchema },
    async ({ caller, access, query, res }) => {
      const account = caller.user._id.toHexString();
      await limits.take('chatSearchesPerAccount', account);
      const over = new AbortController();
      whenClosed(res, () => over.abort());
      const leave = await turns.take(account, over.signal);
      try {
        return { data: await searchInChat(access.chat._id, query.q ?? '', query.before) };
      } finally {
        leave();
      }
    },
  );

  return router;
}
