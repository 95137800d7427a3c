import type { Router } from 'express';
import type { Types } from 'mongoose';
import type { Caller, SignedInGuard } from '#features/auth';
import {
  type ChatDoc,
  ChatModel,
  chatsOf,
  chatView,
  chatViews,
  refuseIfFull,
  staffMessageView,
  startByAgent,
} from '#features/chats';
import type { Presence, Visiting } from '#features/presence';
import { requirement, type SiteDoc, siteFor } from '#features/sites';
import type { Usage } from '#features/usage';
import { conflict, endpoints, type Limits, pageFields, sentence, timeBehind, timeCursor, toPage } from '#platform/http';
import { PAGE_LIMIT_DEFAULT, type Page, type PageQuery } from '#platform/http/contract';
import { correctContact, setBlocked, writePersonNote } from '../edits.ts';
import { visitorFor } from '../guards.ts';
import { type VisitorDoc, VisitorModel } from '../model.ts';
import { contactSchema, personNoteSchema, startChatSchema } from '../schemas.ts';
import { personNoteView, visitorDetailsView, visitorView } from '../view.ts';
import { clearBounced } from './bounces.ts';
import type { LiveVisitor, PeopleApi } from './contract.ts';
import { exportPerson } from './export.ts';
import { eraseVisitor } from './people.ts';

/**
 * Lists the visitors who are on the site now, latest arrival first, without machines; pages only where the site
 * switched them on.
 * @throws AppError 400 for an invalid cursor
 */
async function liveVisitors(
  site: SiteDoc,
  presence: Presence,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
): Promise<{ visitors: LiveVisitor[] } & Page> {
  const behind = cursor === undefined ? null : visitingBehind(cursor);
  const there = presence
    .visitorsOn(site._id.toHexString())
    .sort(byArrival)
    .filter((visiting) => behind === null || byArrival(behind, visiting) < 0);
  const { items, nextCursor } = toPage(there, limit, ({ since, visitorId }) => timeCursor(since, visitorId));
  return { visitors: await rows(site, items), nextCursor };
}

function byArrival(a: Visiting, b: Visiting): number {
  return b.since - a.since || (a.visitorId < b.visitorId ? 1 : a.visitorId > b.visitorId ? -1 : 0);
}

function visitingBehind(cursor: string): Visiting {
  const { at, id } = timeBehind(cursor);
  return { since: at.getTime(), visitorId: id };
}

async function rows(site: SiteDoc, page: Visiting[]): Promise<LiveVisitor[]> {
  const ids = page.map(({ visitorId }) => visitorId);
  const [people, open] = await Promise.all([
    VisitorModel.find({ _id: { $in: ids }, site: site._id, bot: false, erasedAt: null }).lean<VisitorDoc[]>(),
    ChatModel.find({ visitor: { $in: ids }, open: true }, { visitor: 1 }).lean<ChatDoc[]>(),
  ]);
  const personOf = byId(people, ({ _id }) => _id);
  const chatOf = byId(open, ({ visitor }) => visitor);
  return page.flatMap(({ visitorId, since }) => {
    const person = personOf.get(visitorId);
    if (!person) return [];
    const { name, email, location, blocked } = person;
    const { pages: _pages, note: _note, ...facts } = visitorDetailsView(person);
    return [
      {
        _id: visitorId,
        name,
        email,
        location,
        blocked,
        ...facts,
        page: site.settings.visitorPages ? facts.page : null,
        since: new Date(since).toISOString(),
        openChatId: chatOf.get(visitorId)?._id.toHexString() ?? null,
      },
    ];
  });
}

function byId<Doc>(docs: Doc[], idOf: (doc: Doc) => Types.ObjectId): Map<string, Doc> {
  return new Map(docs.map((doc) => [idOf(doc).toHexString(), doc]));
}

interface PeopleDeps {
  signedIn: SignedInGuard;
  presence: Presence;
  limits: Limits;
  usage: Usage;
}

/** The team's calls about visitors. */
export function peopleRoutes({ signedIn: { orKey }, presence, limits, usage }: PeopleDeps): Router {
  const { router, on } = endpoints<PeopleApi>();
  const requires = requirement(visitorFor);
  const onSite = (caller: Caller, { id }: { id: string }) => siteFor(caller, id, 'visitors.read');

  on(
    'GET /sites/:id/visitors',
    { authenticate: orKey.read, authorize: onSite, query: pageFields },
    async ({ access, query }) => ({
      data: await liveVisitors(access.site, presence, query),
    }),
  );

  on(
    'GET /visitors/:id/chats',
    { authenticate: orKey.read, authorize: requires('visitors.read'), query: pageFields },
    async ({ access, query }) => {
      const { items, nextCursor } = await chatsOf(access.visitor._id, query);
      return { data: { chats: await chatViews(items, [access.site]), nextCursor } };
    },
  );

  on(
    'POST /visitors/:id/chats',
    { authenticate: orKey.reply, authorize: requires('chats.reply'), body: startChatSchema },
    async ({ access: { visitor, site }, caller, body }) => {
      await limits.take('staffMessagesPerAccount', caller.user._id.toHexString());
      await refuseIfFull(usage, site, `u:${caller.user._id}`, body);
      const { chat, message, isNew } = await startByAgent(site, caller, visitor, body, () => {
        if (visitor.blocked) throw conflict('BLOCKED', sentence('This visitor is blocked and could not reply.'));
        if (!presence.visitorIsOnline(visitor._id.toHexString()))
          throw conflict('VISITOR_OFFLINE', sentence('This visitor has left the site.'));
      });
      const data = { chat: await chatView(chat, site), message: await staffMessageView(message) };
      return { status: isNew ? 201 : 200, data };
    },
  );

  on(
    'PATCH /visitors/:id',
    { authenticate: orKey.reply, authorize: requires('visitors.edit'), body: contactSchema },
    async ({ access, caller, body }) => {
      const visitor = await correctContact(access, caller, body);
      return { data: { visitor: { ...visitorView(visitor), ...(visitor.phone && { phone: visitor.phone }) } } };
    },
  );

  on(
    'DELETE /visitors/:id/bounce',
    { authenticate: orKey.reply, authorize: requires('visitors.edit') },
    async ({ access, caller }) => {
      await clearBounced(access.visitor._id, caller.user._id);
      return { data: {} };
    },
  );

  on(
    'PUT /visitors/:id/note',
    { authenticate: orKey.reply, authorize: requires('visitors.edit'), body: personNoteSchema },
    async ({ access, caller, body }) => {
      const note = await writePersonNote(access, caller, body);
      return { data: { note: note && personNoteView(note) } };
    },
  );

  for (const [verb, blocked] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    on(
      `${verb} /visitors/:id/block`,
      { authenticate: orKey.reply, authorize: requires('visitors.block') },
      async ({ access }) => {
        await setBlocked(access, blocked);
        return { data: { blocked } };
      },
    );
  }

  on(
    'GET /visitors/:id/export',
    { authenticate: orKey.read, authorize: requires('visitors.read'), files: ['application/json'] },
    async ({ access }) => ({
      file: exportPerson(access),
      fileName: `visitor-${access.visitor._id.toHexString()}.json`,
    }),
  );

  on(
    'DELETE /visitors/:id',
    { authenticate: orKey.manage, authorize: requires('visitors.erase') },
    async ({ access, caller }) => {
      await eraseVisitor(access, caller.user._id);
      return { message: 'Visitor erased', data: {} };
    },
  );

  return router;
}
