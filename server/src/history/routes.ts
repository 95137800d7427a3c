import type { Request, Router } from 'express';
import type { SignedInGuard } from '../auth/access.ts';
import type { Caller } from '../auth/sessions.ts';
import { chatViews } from '../chats/view.ts';
import { endpoints, siteIdOf } from '../http/endpoint.ts';
import { siteFor, sitesOf } from '../sites/access.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { HistoryApi } from './contract.ts';
import { findHistory } from './find.ts';
import { historyRules, supportersRules } from './rules.ts';
import { supportersOf } from './supporters.ts';

const MINUTE_MS = 60_000;

/** The calls of the History screen. They go before those of chats, whose `/chats/:id` would take their names for ids. */
export function historyRoutes({ signedIn: who }: { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<HistoryApi>();

  on('GET /chats/history', { who, may: sitesAsked, query: historyRules }, async ({ access, query }) => {
    const { chats, nextCursor } = await findHistory(access, query);
    const rows = (await chatViews(chats, access)).map((chat) => ({ ...chat, durationMinutes: minutesOf(chat) }));
    return { data: { chats: rows, nextCursor } };
  });

  on('GET /chats/supporters', { who, may: sitesAsked, query: supportersRules }, async ({ access }) => {
    const people = await supportersOf(access);
    return { data: { supporters: people.map(({ _id, name }) => ({ _id: _id.toHexString(), name })) } };
  });

  return router;
}

/** The site that the query names, or all of the caller's. */
async function sitesAsked(caller: Caller, _params: object, req: Request): Promise<SiteDoc[]> {
  if (req.query.siteId === undefined) return sitesOf(caller.user._id);
  return [(await siteFor(caller, siteIdOf(req), 'chats.read')).site];
}

function minutesOf({ createdAt, metadata }: { createdAt: string; metadata: { lastActivity: string } }): number {
  return Math.max(0, Math.floor((Date.parse(metadata.lastActivity) - Date.parse(createdAt)) / MINUTE_MS));
}
