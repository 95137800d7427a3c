import { isDeepStrictEqual } from 'node:util';
import type { Types } from 'mongoose';
import { type AppError, conflict, isDuplicate, notFound, sentence } from '#platform/http';
import type { ArticleLanguage, ArticleTextBody } from './contract.ts';
import { type Editing, touch } from './editing.ts';
import type { ArticleAccess } from './guards.ts';
import { helpOf } from './helpCenter.ts';
import { type ArticleDoc, type ArticleTextDoc, ArticleTextModel, ArticleVersionModel, type Written } from './model.ts';
import { countText, removeTexts, sizeOf } from './storage.ts';
import { keepNow, keepVersion, versionOf } from './versions.ts';

const NOTHING: Written = { title: '', text: '', description: '', alsoAsked: [], slug: '' };

/** A new text of an article, as a document. */
export function newText(
  { _id: article, site }: Pick<ArticleDoc, '_id' | 'site'>,
  lang: ArticleLanguage,
  written: Partial<Written>,
  { caller, now }: Editing,
): Omit<ArticleTextDoc, '_id'> {
  const at = new Date(now);
  const made = { rev: 1, textAt: at, updatedAt: at, updatedBy: caller.user._id, formerSlugs: [] };
  const whole = { ...NOTHING, ...written };
  return { site, article, lang, ...whole, ...made, bytes: sizeOf(whole) };
}

/** 409: the text has changed since it was read. */
export const articleChanged = (): AppError =>
  conflict('ARTICLE_CHANGED', sentence('Somebody else has changed this article meanwhile.'));

/** The text of an article in one language; null: there is none. */
export function textOf(article: Types.ObjectId, lang: ArticleLanguage): Promise<ArticleTextDoc | null> {
  return ArticleTextModel.findOne({ article, lang }).lean<ArticleTextDoc>().exec();
}

/** Whether this differs from what is written. */
export function differsFrom(before: Written, written: Partial<Written>): boolean {
  const names = Object.keys(written) as (keyof Written)[];
  return names.some((name) => !isDeepStrictEqual(before[name], written[name]));
}

/** Stores the first state of a text. @throws AppError 409 `ARTICLE_CHANGED` when there is one */
export async function insertText(text: Omit<ArticleTextDoc, '_id'>): Promise<void> {
  await ArticleTextModel.create(text).catch((error) => {
    throw isDuplicate(error, 'lang') ? articleChanged() : error;
  });
  await countText(text.site, text.bytes);
}

/**
 * Saves what is written in one language: one guarded write, so that nobody overwrites what somebody else has saved. Repeated,
 * it changes nothing more.
 * @throws AppError 409 `ARTICLE_CHANGED`
 */
export async function saveText(
  { site, article }: Pick<ArticleAccess, 'site' | 'article'>,
  lang: ArticleLanguage,
  { rev, ...written }: ArticleTextBody,
  editing: Editing,
): Promise<void> {
  const { language } = helpOf(site);
  const [before, main] = await Promise.all([
    textOf(article._id, lang),
    lang === language ? null : textOf(article._id, language),
  ]);
  if (before && !differsFrom(before, written)) return;
  if ((before?.rev ?? 0) !== rev) throw articleChanged();
  const source = main && { sourceAt: main.textAt };
  if (before) {
    await keepVersion(before, editing);
    const at = new Date(editing.now);
    const about = { updatedAt: at, updatedBy: editing.caller.user._id };
    const { title = before.title, text = before.text } = written;
    const isOther = differsFrom(before, { title, text });
    const { matchedCount } = await ArticleTextModel.updateOne(
      { _id: before._id, rev },
      {
        $set: { ...written, ...source, ...(isOther && { textAt: at }), ...about },
        $inc: { rev: 1, bytes: sizeOf({ ...before, ...written }) - sizeOf(before) },
      },
    );
    if (matchedCount === 0) throw articleChanged();
    await countText(site._id, sizeOf({ ...before, ...written }) - sizeOf(before));
  } else {
    await insertText({ ...newText(article, lang, written, editing), ...source });
  }
  await touch(article, editing);
}

/**
 * Writes what a version says; what it replaces is kept as a version itself.
 * @throws AppError 409 `ARTICLE_CHANGED`, 404 when the article has no such version
 */
export async function restoreVersion(
  access: ArticleAccess,
  versionId: string,
  rev: number,
  editing: Editing,
): Promise<void> {
  const { lang, title, text, description, alsoAsked } = await versionOf(access.article._id, versionId);
  const before = await textOf(access.article._id, lang);
  if (before?.rev === rev) await keepNow(before);
  await saveText(access, lang, { title, text, description, alsoAsked, rev }, editing);
}

/** Removes a translation with its versions. @throws AppError 409 for the main language, 404 when there is none */
export async function removeText(
  { site, article }: ArticleAccess,
  lang: ArticleLanguage,
  editing: Editing,
): Promise<void> {
  if (lang === helpOf(site).language)
    throw conflict('MAIN_LANGUAGE', sentence('The text in the main language cannot be removed.'));
  if (!(await textOf(article._id, lang))) throw notFound('language');
  await removeTexts(ArticleVersionModel, { article: article._id, lang });
  await removeTexts(ArticleTextModel, { article: article._id, lang });
  await touch(article, editing);
}
