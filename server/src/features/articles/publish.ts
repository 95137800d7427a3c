import { Types } from 'mongoose';
import { hasSubscriber, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import { conflict, invalid, isDuplicate, notFound, sentence } from '#platform/http';
import { ARTICLE_FORMER_SLUGS_MAX, ARTICLE_SLUG_MAX_LENGTH, type ArticleLanguage, slugOf } from './contract.ts';
import { type Editing, touch } from './editing.ts';
import type { ArticleAccess } from './guards.ts';
import { type ArticleTextDoc, ArticleTextModel } from './model.ts';
import { countText, sizeOf } from './storage.ts';
import { articleChanged } from './texts.ts';
import { keepPublished } from './versions.ts';

declare module '#platform/events' {
  interface Events {
    /** Readers see an article, or another state of it. */
    articlePublished: { site: SiteDoc; text: ArticleTextDoc; by: Types.ObjectId };
  }
}

/** How often publishing is tried again because the text was changed in between. */
const TRIES_MAX = 5;
/** After so many taken slugs, a random one is made. */
const SLUGS_TRIED = 30;
const FALLBACK_SLUG = 'article';

/**
 * Shows readers what is written, in one language or in all. Repeated, it changes nothing more.
 * @throws AppError 422 without a title, 409 `SLUG_TAKEN`, 404 when there is no text
 */
export async function publishArticle(
  { site, article }: ArticleAccess,
  lang: ArticleLanguage | undefined,
  editing: Editing,
): Promise<void> {
  const filter = { article: article._id, ...(lang && { lang }) };
  const texts = await ArticleTextModel.find(filter).lean<ArticleTextDoc[]>();
  if (texts.length === 0) throw notFound('language');
  for (const text of texts) {
    if (text.title.trim() === '')
      throw invalid([
        { msg: sentence('An article needs a title before it is published.'), path: `title.${text.lang}` },
      ]);
  }
  const unseen = texts.filter(({ rev, published }) => article.status !== 'published' || published?.rev !== rev);
  const published: ArticleTextDoc[] = [];
  for (const text of unseen) published.push(await publishText(site, text, editing));
  for (const text of published) await keepPublished(text);
  await touch(article, editing, { status: 'published' });
  for (const text of published) await events.emit('articlePublished', { site, text, by: editing.caller.user._id });
}

/** Publishes the text as it is now, by a guarded write; what is saved meanwhile stays unpublished. */
async function publishText(site: SiteDoc, text: ArticleTextDoc, editing: Editing): Promise<ArticleTextDoc> {
  let current: ArticleTextDoc | null = text;
  for (let tries = 0; current && tries < TRIES_MAX; tries++) {
    const done = await tryPublishing(site, current, editing);
    if (done) return done;
    current = await ArticleTextModel.findById(text._id).lean<ArticleTextDoc>();
  }
  throw articleChanged();
}

/** @returns null: it was changed meanwhile */
async function tryPublishing(
  site: SiteDoc,
  text: ArticleTextDoc,
  { caller, now }: Editing,
): Promise<ArticleTextDoc | null> {
  const { _id, rev, title, description, alsoAsked, sourceAt, published: before } = text;
  const fixed = text.slug;
  const mark = hasSubscriber(site, ['article.published']) && { untold: new Types.ObjectId() };
  for (const slug of fixed ? [fixed] : slugsFor(title)) {
    const former = text.formerSlugs.filter((each) => each !== slug);
    const published = {
      title,
      text: text.text,
      description,
      alsoAsked,
      slug,
      rev,
      at: new Date(now),
      by: caller.user._id,
      ...(sourceAt && { sourceAt }),
    };
    const formerSlugs =
      before && before.slug !== slug ? [before.slug, ...former.filter((each) => each !== before.slug)] : former;
    const grown = sizeOf(published) - (before ? sizeOf(before) : 0);
    try {
      const done = await ArticleTextModel.findOneAndUpdate(
        { _id, rev },
        {
          $set: { ...mark, slug, published, formerSlugs: formerSlugs.slice(0, ARTICLE_FORMER_SLUGS_MAX) },
          $inc: { bytes: grown },
        },
        { returnDocument: 'after' },
      ).lean<ArticleTextDoc>();
      if (done) await countText(done.site, grown);
      return done;
    } catch (error) {
      if (!isDuplicate(error, 'published.slug')) throw error;
    }
  }
  throw conflict('SLUG_TAKEN', sentence('Another article has this address. Choose another one.'));
}

/** Slugs for a title: the plain one, then numbered ones, then a random one. */
function* slugsFor(title: string): Generator<string> {
  const base = slugOf(title) || FALLBACK_SLUG;
  const numbered = (end: string) => slugOf(`${base.slice(0, ARTICLE_SLUG_MAX_LENGTH - end.length - 1)}-${end}`);
  yield base;
  for (let count = 2; count <= SLUGS_TRIED; count++) yield numbered(String(count));
  yield numbered(Math.random().toString(36).slice(2, 10));
}
