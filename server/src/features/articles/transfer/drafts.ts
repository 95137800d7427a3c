import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { SiteDoc } from '#features/sites';
import { AppError, sentence, type TranslatableText } from '#platform/http';
import { addArticle } from '../actions.ts';
import {
  ARTICLE_DESCRIPTION_MAX_LENGTH,
  ARTICLE_TEXT_MAX_LENGTH,
  ARTICLE_TITLE_MAX_LENGTH,
  type ArticleImport,
  type ArticleLanguage,
} from '../contract.ts';
import type { Editing } from '../editing.ts';
import { type ArticleDoc, ArticleModel, type ArticleTextDoc, ArticleTextModel, type Written } from '../model.ts';
import { differsFrom, saveText, textOf } from '../texts.ts';

/** An article in one language as an import has it. */
export interface Draft extends Written {
  /** The file or page that it comes from, for the list of what was left out. */
  source: string;
  lang: ArticleLanguage;
  /** The same for all languages of one article. */
  group: string;
  category: string | null;
  /** An earlier slug, which will lead to the article. */
  formerSlug?: string;
}

/** What an import did, or would do. */
export type Tally = Omit<ArticleImport, 'leftOut'> & { leftOut: { source: string; reason: TranslatableText }[] };

/** Why a draft cannot be imported; null: it can. */
export function problemOf({ title, text, description }: Draft): TranslatableText | null {
  if (title.trim() === '') return sentence('It has no title.');
  if (title.length > ARTICLE_TITLE_MAX_LENGTH)
    return sentence('The title is longer than {max} characters.', { max: ARTICLE_TITLE_MAX_LENGTH });
  if (text.length > ARTICLE_TEXT_MAX_LENGTH)
    return sentence('The text is longer than {max} characters.', { max: ARTICLE_TEXT_MAX_LENGTH });
  if (description.length > ARTICLE_DESCRIPTION_MAX_LENGTH)
    return sentence('The description is longer than {max} characters.', { max: ARTICLE_DESCRIPTION_MAX_LENGTH });
  return null;
}

/** Matches the drafts of an import with the articles of the site. */
export async function createMatcher(site: SiteDoc) {
  const texts = await ArticleTextModel.find(
    { site: site._id },
    { article: 1, lang: 1, slug: 1, formerSlugs: 1, 'published.slug': 1 },
  ).lean<ArticleTextDoc[]>();
  const known = new Map<string, Types.ObjectId>();
  for (const { article, lang, slug, published, formerSlugs } of texts)
    for (const each of [...formerSlugs, published?.slug, slug]) if (each) known.set(`${lang}/${each}`, article);

  /** Made from the group, so that an import that was interrupted goes on with the same article. */
  const newId = (group: string) =>
    Types.ObjectId.createFromHexString(createHash('sha256').update(`${site._id}:${group}`).digest('hex').slice(0, 24));

  return {
    /** The id of a draft's article, whether it exists yet or not. */
    async idFor({ lang, slug, group }: Draft): Promise<Types.ObjectId> {
      const own = /^[\da-f]{24}$/.test(group) ? Types.ObjectId.createFromHexString(group) : newId(group);
      if (await ArticleModel.exists({ _id: own, site: site._id })) return own;
      return known.get(`${lang}/${slug}`) ?? newId(group);
    },
  };
}
export type Matcher = Awaited<ReturnType<typeof createMatcher>>;

/**
 * Stores a draft where it differs from what is there; what readers see stays. Idempotent.
 * @param finish makes the text that is stored, once there is an article: its pictures are kept with it
 */
export async function storeDraft(
  site: SiteDoc,
  draft: Draft,
  {
    matcher,
    editing,
    dryRun,
    tally,
    finish,
  }: {
    matcher: Matcher;
    editing: Editing;
    dryRun: boolean;
    tally: Tally;
    finish?: (article: ArticleDoc | null, text: string) => Promise<string>;
  },
): Promise<void> {
  const { source, lang, category, title, description, alsoAsked, slug } = draft;
  try {
    const _id = await matcher.idFor(draft);
    const found = await ArticleModel.findById(_id).lean<ArticleDoc>();
    const article = found ?? (dryRun ? null : await addArticle(site, { _id, category }, editing));
    const before = article && (await textOf(article._id, lang));
    const text = (await finish?.(article, draft.text)) ?? draft.text;
    const written = { title, text, description, alsoAsked, slug };
    const change = !before ? 'added' : differsFrom(before, written) ? 'changed' : 'unchanged';
    if (!dryRun && article && change !== 'unchanged')
      await saveText({ site, article }, lang, { ...written, rev: before?.rev ?? 0 }, editing);
    if (!dryRun && article && draft.formerSlug)
      await ArticleTextModel.updateOne(
        { article: article._id, lang },
        { $addToSet: { formerSlugs: draft.formerSlug } },
      );
    tally[change]++;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    tally.leftOut.push({ source, reason: error.text });
  }
}
