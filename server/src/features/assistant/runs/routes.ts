import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { chatFor, chatView, handedOver } from '#features/chats';
import { requirement } from '#features/sites';
import { endpoints, type InputSchema, JSON_SCHEMA, sentence } from '#platform/http';
import type { AssistantRunsApi } from './contract.ts';
import { runsOf } from './model.ts';

const onSchema: InputSchema = {
  on: {
    [JSON_SCHEMA]: { type: 'boolean' },
    errorMessage: sentence('on can only be false: the assistant does not begin again in a chat'),
    custom: { options: (value: unknown) => value === false },
  },
};

/** The team's calls about what the assistant does in a chat. */
export function assistantRunRoutes({ signedIn: { orKey } }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<AssistantRunsApi>();
  const requires = requirement(chatFor);

  on(
    'GET /chats/:id/assistant',
    { authenticate: orKey.read, authorize: requires('chats.read') },
    async ({ access }) => ({ data: { runs: await runsOf(access.chat._id) } }),
  );

  on(
    'POST /chats/:id/assistant',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: onSchema },
    async ({ access }) => ({ data: { chat: await chatView(await handedOver(access, 'agent'), access.site) } }),
  );

  return router;
}
