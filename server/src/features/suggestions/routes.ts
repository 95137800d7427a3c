import type { Router } from 'express';
import { assistantOf, countAssist } from '#features/assistant';
import type { SignedInGuard } from '#features/auth';
import { chatFor } from '#features/chats';
import { requirement } from '#features/sites';
import { endpoints, type Limits } from '#platform/http';
import type { SuggestionsApi } from './contract.ts';
import { suggestionsFor } from './suggest.ts';

interface SuggestionsDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  publicUrl: string | null;
}

/** The calls of suggestions: for whoever may answer the chat. */
export function suggestionRoutes({ signedIn: { orKey }, limits, publicUrl }: SuggestionsDeps): Router {
  const { router, on } = endpoints<SuggestionsApi>();
  const mayAnswer = requirement(chatFor);

  on(
    'GET /chats/:id/suggestions',
    { authenticate: orKey.reply, authorize: mayAnswer('chats.reply') },
    async ({ access, caller, req }) => {
      await limits.take('suggestionsPerAccount', caller.user._id.toHexString());
      const origin = publicUrl ?? `${req.protocol}://${req.get('host')}`;
      return { data: { suggestions: await suggestionsFor(access, { user: caller.user._id, publicUrl: origin }) } };
    },
  );

  on(
    'POST /chats/:id/suggestions/accepted',
    { authenticate: orKey.reply, authorize: mayAnswer('chats.reply') },
    async ({ access: { site }, caller }) => {
      await limits.take('suggestionsPerAccount', caller.user._id.toHexString());
      if (assistantOf(site).step !== 'links') await countAssist(site._id, { accepted: 1 });
      return { data: {} };
    },
  );

  return router;
}
