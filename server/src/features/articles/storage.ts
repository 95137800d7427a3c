import type { Model, QueryFilter, Types } from 'mongoose';
import { type Bytes, siteFull, textBytes, type Usage } from '#features/usage';
import { events } from '#platform/events';
import {
  type ArticleDoc,
  ArticleModel,
  type ArticleTextDoc,
  ArticleTextModel,
  type ArticleVersionDoc,
  ArticleVersionModel,
  type Written,
} from './model.ts';

const BATCH = 100;

/** How many bytes of storage a text takes. */
export function sizeOf({ title, text, description, alsoAsked }: Omit<Written, 'slug'>): number {
  return textBytes([title, text, description, ...alsoAsked].join(''));
}

/** Counts what was written, or removed if negative, as storage of the site. */
export async function countText(site: Types.ObjectId, bytes: number): Promise<void> {
  if (bytes !== 0) await events.emit('storageGrew', { siteId: site.toHexString(), text: bytes, files: 0 });
}

/** @throws AppError 413 `SITE_FULL` when the site may not store this text with a version of it */
export function mustFit(usage: Usage, site: Types.ObjectId, { text = '' }: Partial<Written>): void {
  if (!usage.fits(site.toHexString(), { text: 2 * textBytes(text) })) throw siteFull(false);
}

/** Removes texts or versions in batches, and counts their bytes as free. */
export async function removeTexts<Doc extends ArticleTextDoc | ArticleVersionDoc>(
  model: Model<Doc>,
  filter: QueryFilter<Doc>,
): Promise<void> {
  for (;;) {
    const found = await model.find(filter, { site: 1, bytes: 1 }).limit(BATCH).lean<Doc[]>();
    for (const { _id, site, bytes } of found) {
      const { deletedCount } = await model.deleteMany({ _id } as QueryFilter<Doc>);
      if (deletedCount > 0) await countText(site, -bytes);
    }
    if (found.length < BATCH) return;
  }
}

/** What a site's articles, their versions and pictures take that are older than a given time. */
export async function articleBytes(site: Types.ObjectId, before: Date): Promise<Bytes> {
  const sum = { text: 0, files: 0 };
  const texts = ArticleTextModel.find({ site }, { bytes: 1, updatedAt: 1 }).lean<ArticleTextDoc>().cursor();
  for await (const { bytes, updatedAt } of texts) if (updatedAt < before) sum.text += bytes;
  const versions = ArticleVersionModel.find({ site }, { bytes: 1, at: 1 }).lean<ArticleVersionDoc>().cursor();
  for await (const { bytes, at } of versions) if (at < before) sum.text += bytes;
  const articles = ArticleModel.find({ site }, { pictures: 1 }).lean<ArticleDoc>().cursor();
  for await (const { pictures = [] } of articles)
    for (const { size, at } of pictures) if (at < before) sum.files += size;
  return sum;
}

/** Whether a stored file is a picture of an article. */
export async function isArticlePicture(_id: Types.ObjectId): Promise<boolean> {
  return (await ArticleModel.exists({ pictures: { $exists: true }, 'pictures._id': _id })) !== null;
}
