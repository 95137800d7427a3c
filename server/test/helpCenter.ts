import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import type { Site } from '../contract.ts';
import { type ArticleLanguage, slugOf } from '../src/features/articles/contract.ts';
import { ArticleModel, ArticleTextModel } from '../src/features/articles/model.ts';
import type { HelpDoc } from '../src/features/sites/helpModel.ts';
import { SiteModel } from '../src/features/sites/model.ts';
import { events } from '../src/platform/events/index.ts';

/** The names of a category by language. */
type Names = Partial<Record<ArticleLanguage, string>>;
/** A text as it is published. */
interface Text {
  title: string;
  text: string;
  slug?: string;
  description?: string;
  alsoAsked?: string[];
}

let centers = 0;

/** Opens a help centre on a site, with these categories. */
export async function openHelpCenter(
  { _id }: Site,
  changes: Partial<HelpDoc> = {},
  categories: Names[] = [],
): Promise<HelpDoc> {
  const help: HelpDoc = {
    enabled: true,
    handle: `shop-${++centers}-${randomUUID().slice(0, 8)}`,
    language: 'en',
    languages: [],
    links: [],
    agentsEdit: false,
    widget: 'off',
    rev: 1,
    categories: categories.map((name) => ({ id: randomUUID(), name })),
    ...changes,
  };
  await SiteModel.updateOne({ _id }, { $set: { help } });
  await events.emit('articlesChanged', { siteId: _id, articleId: null });
  return help;
}

/** Stores an article that readers see; gives its id. */
export async function publish(
  { _id, owner }: Site,
  texts: Partial<Record<ArticleLanguage, Text>>,
  category: string | null = null,
): Promise<string> {
  const [article, site, by] = [new Types.ObjectId(), new Types.ObjectId(_id), new Types.ObjectId(owner)];
  const at = new Date('2026-11-20T10:00:00Z');
  const position = await ArticleModel.countDocuments({ site });
  const about = { createdAt: at, updatedAt: at, updatedBy: by };
  await ArticleModel.create({ _id: article, site, category, position, status: 'published', ...about });
  for (const [lang, text] of Object.entries(texts) as [ArticleLanguage, Text][]) {
    const written = { description: '', alsoAsked: [], slug: slugOf(text.title), ...text };
    await ArticleTextModel.create({
      site,
      article,
      lang,
      rev: 1,
      textAt: at,
      formerSlugs: [],
      bytes: 0,
      ...written,
      ...about,
      published: { ...written, rev: 1, at },
    });
  }
  await events.emit('articlesChanged', { siteId: _id, articleId: article.toHexString() });
  return article.toHexString();
}

/** Changes an article, or one of its texts, and says so. */
export async function changeArticle(site: Site, id: string, change: object, lang?: ArticleLanguage): Promise<void> {
  if (lang) await ArticleTextModel.updateOne({ article: id, lang }, change);
  else await ArticleModel.updateOne({ _id: id }, change);
  await events.emit('articlesChanged', { siteId: site._id, articleId: id });
}
