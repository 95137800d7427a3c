import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { requirement } from '#features/sites';
import { endpoints, type InputSchema, JSON_SCHEMA, type Limits, sentence } from '#platform/http';
import { chatFor } from '../guards.ts';
import { chatView } from '../serialize.ts';
import type { SnoozeApi } from './contract.ts';
import { snoozeChat, unsnoozeChat } from './snooze.ts';

const TIME_MAX_LENGTH = 35;
const isTime = (value: unknown) =>
  typeof value === 'string' &&
  value.length <= TIME_MAX_LENGTH &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const snoozeSchema: InputSchema = {
  until: {
    [JSON_SCHEMA]: { type: 'string', format: 'date-time', maxLength: TIME_MAX_LENGTH },
    errorMessage: sentence('until must be a time in ISO 8601, with seconds and a time zone'),
    custom: { options: isTime },
  },
};

interface SnoozeDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  now: () => number;
}

/** The calls that snooze chats, and bring them back. */
export function snoozeRoutes({ signedIn: { orKey }, limits, now }: SnoozeDeps): Router {
  const { router, on } = endpoints<SnoozeApi>();
  const authorize = requirement(chatFor)('chats.reply');

  on(
    'PUT /chats/:id/snooze',
    { authenticate: orKey.reply, authorize, body: snoozeSchema },
    async ({ access, caller, body }) => {
      // Each stores a note.
      await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
      const chat = await snoozeChat(access, caller, new Date(body.until), now());
      return { data: { chat: await chatView(chat, access.site) } };
    },
  );

  on('DELETE /chats/:id/snooze', { authenticate: orKey.reply, authorize }, async ({ access, caller }) => {
    await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
    return { data: { chat: await chatView(await unsnoozeChat(access, caller), access.site) } };
  });

  return router;
}
