import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { events } from '#platform/events';
import { type ArticleDoc, ArticleModel } from './model.ts';

/** Who changes an article, and when. */
export interface Editing {
  caller: Caller;
  /** Milliseconds */
  now: number;
}

/** Announces that an article, or several of a site, may have changed. */
export function announce(site: Types.ObjectId, article: Types.ObjectId | null): Promise<void> {
  return events.emit('articlesChanged', { siteId: site.toHexString(), articleId: article?.toHexString() ?? null });
}

/**
 * Notes who changed an article, after its text was written. The text may refer to fewer pictures than before, so a job is asked to
 * look for unused ones.
 */
export async function touch(
  { _id, site }: ArticleDoc,
  { caller, now }: Editing,
  fields: Partial<Pick<ArticleDoc, 'status'>> = {},
): Promise<void> {
  const at = new Date(now);
  await ArticleModel.updateOne({ _id }, { $set: { ...fields, updatedAt: at, updatedBy: caller.user._id } });
  await ArticleModel.updateOne({ _id, pictures: { $exists: true } }, { $set: { unswept: at } });
  await announce(site, _id);
}
