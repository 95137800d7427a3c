import type { Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { PAGE_LIMIT_DEFAULT, type Page, type PageQuery } from '../http/contract.ts';
import { badRequest } from '../http/errors.ts';
import type { Presence, Visiting } from '../presence/presence.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { LiveVisitor } from './contract.ts';
import { type VisitorDoc, VisitorModel } from './model.ts';
import { factsView } from './view.ts';

/**
 * Who is on the site right now, the latest comer first, machines left out; pages only where the site switched them on.
 * @throws AppError 400 for a cursor that is none
 */
export async function liveVisitors(
  site: SiteDoc,
  presence: Presence,
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
): Promise<{ visitors: LiveVisitor[] } & Page> {
  const behind = cursor === undefined ? null : readCursor(cursor);
  const there = presence
    .visitorsOn(site._id.toHexString())
    .sort(byArrival)
    .filter((visiting) => behind === null || byArrival(behind, visiting) < 0);
  const page = there.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = there.length > limit && last ? `${last.since}-${last.visitorId}` : null;
  return { visitors: await rows(site, page), nextCursor };
}

function byArrival(a: Visiting, b: Visiting): number {
  return b.since - a.since || (a.visitorId < b.visitorId ? 1 : a.visitorId > b.visitorId ? -1 : 0);
}

function readCursor(cursor: string): Visiting {
  const [, since, visitorId] = cursor.match(/^(\d{1,15})-([0-9a-f]{24})$/) ?? [];
  if (since === undefined || visitorId === undefined) throw badRequest('INVALID_CURSOR', 'This cursor is not valid.');
  return { since: Number(since), visitorId };
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
    const { pages: _, ...facts } = factsView(person);
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
