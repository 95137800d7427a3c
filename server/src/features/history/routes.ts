import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { chatViews } from '#features/chats';
import { sitesInQuery } from '#features/sites';
import { endpoints } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import type { HistoryApi } from './contract.ts';
import { countHistory, findHistory, supportersOf } from './find.ts';
import { historySchema, supportersSchema } from './schemas.ts';

/**
 * The routes of the History screen. They must be registered before those of chats, whose `/chats/:id` would take their names
 * for ids.
 */
export function historyRoutes({ signedIn: { orKey } }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<HistoryApi>();

  on(
    'GET /chats/history',
    { authenticate: orKey.read, authorize: sitesInQuery('chats.read'), query: historySchema },
    async ({ access, query }) => {
      const { items, nextCursor } = await findHistory(access, query);
      const rows = (await chatViews(items, access)).map((chat) => ({ ...chat, durationMinutes: minutesOf(chat) }));
      const total = query.cursor === undefined ? await countHistory(access, query) : null;
      return { data: { chats: rows, nextCursor, total } };
    },
  );

  on(
    'GET /chats/supporters',
    { authenticate: orKey.read, authorize: sitesInQuery('chats.read'), query: supportersSchema },
    async ({ access }) => {
      const people = await supportersOf(access);
      return { data: { supporters: people.map(({ _id, name }) => ({ _id: _id.toHexString(), name })) } };
    },
  );

  return router;
}

function minutesOf({ createdAt, metadata }: { createdAt: string; metadata: { lastActivity: string } }): number {
  return Math.max(0, Math.floor((Date.parse(metadata.lastActivity) - Date.parse(createdAt)) / MINUTE_MS));
}
