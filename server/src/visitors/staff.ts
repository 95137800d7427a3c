import type { Router } from 'express';
import type { SignedInGuard } from '../auth/guards.ts';
import type { Caller } from '../auth/sessions.ts';
import { chatView, chatViews, staffMessageView } from '../chats/serialize.ts';
import { needRoom } from '../chats/storage.ts';
import { chatsOf, startByAgent } from '../chats/visitor.ts';
import { endpoints } from '../http/endpoint.ts';
import { conflict } from '../http/errors.ts';
import { pageFields } from '../http/fields.ts';
import type { Limits } from '../http/limits.ts';
import type { Presence } from '../presence/presence.ts';
import { siteFor } from '../sites/guards.ts';
import type { Ability } from '../team/contract.ts';
import type { Usage } from '../usage/counter.ts';
import { visitorFor } from './access.ts';
import { chatFields } from './actions.ts';
import { setBlocked } from './block.ts';
import type { PeopleApi } from './contract.ts';
import { eraseVisitor } from './erase.ts';
import { personJson } from './export.ts';
import { liveVisitors } from './live.ts';
import { reachRules } from './rules.ts';

/** What the calls about visitors work with. */
interface PeopleDeps {
  signedIn: SignedInGuard;
  presence: Presence;
  limits: Limits;
  usage: Usage;
}

/** The calls that the team makes about visitors. */
export function peopleRoutes({ signedIn: who, presence, limits, usage }: PeopleDeps): Router {
  const { router, on } = endpoints<PeopleApi>();
  const may =
    (ability: Ability) =>
    (caller: Caller, { id }: { id: string }) =>
      visitorFor(caller, id, ability);
  const onSite = (caller: Caller, { id }: { id: string }) => siteFor(caller, id, 'visitors.read');

  on('GET /sites/:id/visitors', { who, may: onSite, query: pageFields }, async ({ access, query }) => ({
    data: await liveVisitors(access.site, presence, query),
  }));

  on('GET /visitors/:id/chats', { who, may: may('visitors.read'), query: pageFields }, async ({ access, query }) => {
    const { chats, nextCursor } = await chatsOf(access.visitor._id, query);
    return { data: { chats: await chatViews(chats, [access.site]), nextCursor } };
  });

  on(
    'POST /visitors/:id/chats',
    { who, may: may('chats.reply'), body: reachRules },
    async ({ access: { visitor, site }, caller, body }) => {
      await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
      await needRoom(usage, site, `u:${caller.user._id}`, body);
      const { chat, message, isNew } = await startByAgent(site, caller, chatFields(visitor), body, () => {
        if (visitor.blocked) throw conflict('BLOCKED', 'This visitor is blocked and could not answer.');
        if (!presence.visitorIsOnline(visitor._id.toHexString()))
          throw conflict('VISITOR_OFFLINE', 'This visitor has left the site.');
      });
      const data = { chat: await chatView(chat, site), message: await staffMessageView(message) };
      return { status: isNew ? 201 : 200, data };
    },
  );

  for (const [verb, blocked] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    on(`${verb} /visitors/:id/block`, { who, may: may('visitors.block') }, async ({ access }) => {
      await setBlocked(access, blocked);
      return { data: { blocked } };
    });
  }

  on(
    'GET /visitors/:id/export',
    { who, may: may('visitors.read'), files: ['application/json'] },
    async ({ access }) => ({
      file: personJson(access),
      fileName: `visitor-${access.visitor._id.toHexString()}.json`,
    }),
  );

  on('DELETE /visitors/:id', { who, may: may('visitors.erase') }, async ({ access, caller }) => {
    await eraseVisitor(access, caller.user._id);
    return { message: 'Visitor erased', data: {} };
  });

  return router;
}
