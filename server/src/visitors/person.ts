import type { Types, UpdateQuery } from 'mongoose';
import { nameVisitor } from '../chats/visitor.ts';
import { events } from '../events.ts';
import { unauthorized } from '../http/errors.ts';
import type { VisitorFacts, VisitorPage } from '../presence/contract.ts';
import { PAGES_SEEN_MAX } from './contract.ts';
import type { VisitorAccess } from './model.ts';
import { type SeenPageDoc, type VisitorDoc, VisitorModel } from './model.ts';
import { factsView } from './view.ts';

/** A page in its stored form. */
export function pageOf({ url, title }: Partial<VisitorPage>): VisitorPage {
  return { url: url ?? '', title: title ?? '' };
}

/** A page as an entry of the history; empty without an address. */
export function seen(page: VisitorPage | null | undefined, at = new Date()): SeenPageDoc[] {
  return page?.url ? [{ ...page, at }] : [];
}

/**
 * Stores new data of a visitor and adds the page, if there is one, to the front of the history. If it is the newest
 * entry already, only its title is updated; the store decides that atomically, so that tabs reporting at the same time
 * add no duplicates.
 * @param $push further additions to lists
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
  // There is no page, or between the two writes another tab opened it and left it: the history has it already.
  return write({}, { $set, $push });
}

/** A name and an address, as far as they were given. */
export type Names = Partial<Record<'name' | 'email', string>>;

/**
 * Selects which part of an unproved name and address may be stored: for a verified visitor only fields not known yet,
 * so that no one can put another name beside the verified mark.
 */
export function namesToTake(visitor: Pick<VisitorDoc, 'verified' | 'name' | 'email'>, { name, email }: Names): Names {
  const isFree = (field: 'name' | 'email') => !visitor.verified || visitor[field] === null;
  return {
    ...(name !== undefined && isFree('name') && { name }),
    ...(email !== undefined && isFree('email') && { email }),
  };
}

/** Stores the name and address that the visitor gives, for the open chat too. @throws AppError 401 when erased meanwhile */
export async function introduce({ visitor, site }: VisitorAccess, names: Names): Promise<VisitorAccess> {
  const named = await VisitorModel.findOneAndUpdate(
    { _id: visitor._id, erasedAt: null },
    { $set: namesToTake(visitor, names) },
    { returnDocument: 'after' },
  ).lean<VisitorDoc>();
  if (!named) throw unauthorized('This visitor session does not exist.');
  const access = { visitor: named, site };
  await tellOf(access);
  return access;
}

/** Stores the page that the visitor is on. */
export async function visitPage({ visitor, site }: VisitorAccess, page: VisitorPage): Promise<void> {
  const there = await takeDown(visitor._id, { page: pageOf(page), lastSeenAt: new Date() });
  if (there) await events.emit('visitorUpdated', { visitor: there, site });
}

/** Announces the visitor's current data to the open chat and the team. */
export async function tellOf({ visitor, site }: VisitorAccess): Promise<void> {
  await nameVisitor({ visitor: visitor._id, site }, visitor);
  await events.emit('visitorUpdated', { visitor, site });
}

/** @returns what is known about a visitor besides name and address; empty for one who was erased */
export async function factsOf(visitorId: string): Promise<VisitorFacts> {
  const visitor = await VisitorModel.findById(visitorId).lean<VisitorDoc>();
  return visitor ? factsView(visitor) : { page: null, pages: [], userId: null, verified: false, attributes: [] };
}
