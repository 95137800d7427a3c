import type { Types, UpdateQuery } from 'mongoose';
import { nameVisitor } from '../chats/visitor.ts';
import { events } from '../events.ts';
import { unauthorized } from '../http/errors.ts';
import { PAGES_SEEN_MAX, type VisitorFacts, type VisitorPage } from './contract.ts';
import type { VisitorAccess } from './model.ts';
import { type SeenPageDoc, type VisitorDoc, VisitorModel } from './model.ts';
import { factsView } from './view.ts';

/** A page as it is kept. */
export function pageOf({ url, title }: Partial<VisitorPage>): VisitorPage {
  return { url: url ?? '', title: title ?? '' };
}

/** A page as one of those seen: none without an address. */
export function seen(page: VisitorPage | null | undefined, at = new Date()): SeenPageDoc[] {
  return page?.url ? [{ ...page, at }] : [];
}

/**
 * Takes down what is new of a visitor, with the page, if there is one, as the latest of those seen. Where it is the latest
 * already, only its title may be new: the store finds that out, so that tabs that report at once make no doubles.
 * @param $push what else is added to lists
 * @returns null: erased meanwhile
 */
export async function takeDown(
  _id: Types.ObjectId,
  $set: Partial<VisitorDoc>,
  $push: Record<string, object> = {},
): Promise<VisitorDoc | null> {
  const write = (where: object, update: UpdateQuery<VisitorDoc>) =>
    VisitorModel.findOneAndUpdate({ _id, erasedAt: null, ...where }, update, { returnDocument: 'after' })
      .lean<VisitorDoc>()
      .exec();
  const [page] = seen($set.page, $set.lastSeenAt);
  if (page) {
    const { url, title } = page;
    const pages = { $each: [page], $position: 0, $slice: PAGES_SEEN_MAX };
    const visitor =
      (await write({ 'pages.0.url': { $ne: url } }, { $set, $push: { ...$push, pages } })) ??
      (await write({ 'pages.0.url': url }, { $set: { ...$set, 'pages.0.title': title }, $push }));
    if (visitor) return visitor;
  }
  // There is no page, or another tab went to this one and on between the two: then it is among those seen.
  return write({}, { $set, $push });
}

/** A name and an address, as far as they were said. */
export type Names = Partial<Record<'name' | 'email', string>>;

/**
 * What may be taken down of a name and an address that anybody could have typed: of a verified visitor only what is not
 * known yet, so that nobody puts another's name beside the mark.
 */
export function namesToTake(visitor: Pick<VisitorDoc, 'verified' | 'name' | 'email'>, { name, email }: Names): Names {
  const isFree = (field: 'name' | 'email') => !visitor.verified || visitor[field] === null;
  return {
    ...(name !== undefined && isFree('name') && { name }),
    ...(email !== undefined && isFree('email') && { email }),
  };
}

/** Takes down who the visitor says to be, for the open chat too. @throws AppError 401 when erased meanwhile */
export async function introduce({ visitor, site }: VisitorAccess, names: Names): Promise<VisitorAccess> {
  const named = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: namesToTake(visitor, names) },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!named) throw unauthorized('This visitor session is not known.');
  const access = { visitor: named, site };
  await tellOf(access);
  return access;
}

/** Remembers the page that the visitor is on. */
export async function visitPage({ visitor, site }: VisitorAccess, page: VisitorPage): Promise<void> {
  const there = await takeDown(visitor._id, { page: pageOf(page), lastSeenAt: new Date() });
  if (there) await events.emit('visitorUpdated', { visitor: there, site });
}

/** Tells the open chat and the team who a visitor is by now. */
export async function tellOf({ visitor, site }: VisitorAccess): Promise<void> {
  await nameVisitor({ visitor: visitor._id, site }, visitor);
  await events.emit('visitorUpdated', { visitor, site });
}

/** What is known of a visitor beside name and address; of one who is gone, nothing. */
export async function factsOf(visitorId: string): Promise<VisitorFacts> {
  const visitor = await VisitorModel.findById(visitorId).lean<VisitorDoc>();
  return visitor ? factsView(visitor) : { page: null, pages: [], userId: null, verified: false, attributes: [] };
}
