import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import type { SiteDoc } from '#features/sites';
import { droppingFiles } from '#features/usage';
import { deleteInBatches, removeOne } from '#platform/database';
import { events } from '#platform/events';
import { conflict, notFound, sentence } from '#platform/http';
import { ARTICLES_MAX, type ArticleLanguage } from './contract.ts';
import { announce, type Editing } from './editing.ts';
import type { ArticleAccess } from './guards.ts';
import { helpOf } from './helpCenter.ts';
import { type ArticleDoc, ArticleModel, ArticleTextModel, ArticleVersionModel } from './model.ts';
import { removeTexts } from './storage.ts';
import { insertText, newText } from './texts.ts';

declare module '#platform/events' {
  interface Events {
    /** Readers no longer see an article. */
    articleWithdrawn: { site: SiteDoc; articleId: Types.ObjectId; by: Types.ObjectId };
    articleDeleted: { site: SiteDoc; articleId: Types.ObjectId; by: Types.ObjectId };
  }
}

/** All articles of a site; their number has a limit. */
export function articlesOf(site: Types.ObjectId): Promise<ArticleDoc[]> {
  return ArticleModel.find({ site }).sort({ position: 1 }).lean<ArticleDoc[]>().exec();
}

/** @throws AppError 404 when the site has no such category */
function mustBeCategory(site: SiteDoc, category: string | null): void {
  if (category !== null && !helpOf(site).categories.some(({ id }) => id === category)) throw notFound('category');
}

interface ArticleForm {
  category?: string | null;
  title?: string;
  text?: string;
  lang?: ArticleLanguage;
}

/** Adds an article at the end, as a draft. @throws AppError 409 `ARTICLE_LIMIT_REACHED`, 404 for an unknown category */
export async function createArticle(
  site: SiteDoc,
  { category = null, lang = helpOf(site).language, title = '', text = '' }: ArticleForm,
  editing: Editing,
): Promise<ArticleDoc> {
  mustBeCategory(site, category);
  const article = await addArticle(site, { _id: new Types.ObjectId(), category }, editing);
  await insertText(newText(article, lang, { title, text }, editing));
  await announce(site._id, article._id);
  return article;
}

/**
 * Adds an article without a text. The articles are counted after the insert, so that two inserts at once cannot exceed the limit.
 * @throws AppError 409 `ARTICLE_LIMIT_REACHED`
 */
export async function addArticle(
  { _id: site }: SiteDoc,
  { _id, category }: Pick<ArticleDoc, '_id' | 'category'>,
  { caller, now }: Editing,
): Promise<ArticleDoc> {
  const [last] = await ArticleModel.find({ site }).sort({ position: -1 }).limit(1).lean<ArticleDoc[]>();
  const at = new Date(now);
  const about = { site, category, position: (last?.position ?? 0) + 1, status: 'draft' as const };
  const article = { _id, ...about, createdAt: at, updatedAt: at, updatedBy: caller.user._id };
  await ArticleModel.create(article);
  if ((await ArticleModel.countDocuments({ site })) > ARTICLES_MAX) {
    await removeOne(ArticleModel, { _id });
    throw conflict(
      'ARTICLE_LIMIT_REACHED',
      sentence('A website can have up to {max} articles. Delete one to add another.', { max: ARTICLES_MAX }),
    );
  }
  return article;
}

/**
 * Saves the order of a category's articles, and moves those there that were elsewhere. Articles that are gone are left out.
 * @throws AppError 404 for an unknown category
 */
export async function orderArticles(site: SiteDoc, category: string | null, ids: string[]): Promise<void> {
  mustBeCategory(site, category);
  const known = new Map((await articlesOf(site._id)).map((article) => [article._id.toHexString(), article]));
  const listed = [...new Set(ids.map((id) => id.toLowerCase()))].flatMap((id) => known.get(id) ?? []);
  for (const [position, { _id, ...article }] of listed.entries())
    if (article.position !== position || article.category !== category)
      await ArticleModel.updateOne({ _id }, { $set: { category, position } });
  await announce(site._id, null);
}

/**
 * Moves an article to another category, or withdraws it from readers.
 * @throws AppError 404 for an unknown category
 */
export async function changeArticle(
  { site, article }: ArticleAccess,
  { category, status }: { category?: string | null; status?: 'draft' | 'archived' },
  { caller, now }: Editing,
): Promise<void> {
  if (category !== undefined) mustBeCategory(site, category);
  const fields = { ...(category !== undefined && { category }), ...(status && { status }) };
  const about = { updatedAt: new Date(now), updatedBy: caller.user._id };
  const before = await ArticleModel.findOneAndUpdate({ _id: article._id }, { $set: { ...fields, ...about } }).lean();
  await announce(site._id, article._id);
  if (status && before?.status === 'published')
    await events.emit('articleWithdrawn', { site, articleId: article._id, by: caller.user._id });
}

/**
 * Deletes an article. Texts go first: an article whose deletion was interrupted is still listed, and can be deleted again.
 * @throws AppError 409 `ARTICLE_PUBLISHED` unless it is archived, or was never published
 */
export async function removeArticle({ site, article }: ArticleAccess, { user }: Caller): Promise<void> {
  const { _id, status } = article;
  if (status !== 'archived' && (await ArticleTextModel.exists({ article: _id, published: { $exists: true } })))
    throw conflict('ARTICLE_PUBLISHED', sentence('Archive this article before you delete it.'));
  await removeTexts(ArticleVersionModel, { article: _id });
  await removeTexts(ArticleTextModel, { article: _id });
  await droppingFiles(site._id, article.pictures ?? [], () => removeOne(ArticleModel, { _id }));
  await announce(site._id, _id);
  await events.emit('articleDeleted', { site, articleId: _id, by: user._id });
}

/** Removes all articles of a deleted site. Their pictures go with the files of the site. */
export async function purgeArticles(site: Types.ObjectId, signal: AbortSignal): Promise<void> {
  await deleteInBatches(ArticleVersionModel, { site }, signal);
  await deleteInBatches(ArticleTextModel, { site }, signal);
  await deleteInBatches(ArticleModel, { site }, signal);
}
