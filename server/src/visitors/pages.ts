import type { Types, UpdateQuery } from 'mongoose';
import { PAGES_SEEN_MAX, type VisitorPage } from './contract.ts';
import { type SeenPageDoc, type VisitorDoc, VisitorModel } from './model.ts';

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
