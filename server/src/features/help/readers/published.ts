import { type ArticleDoc, ArticleModel, type ArticleTextDoc, ArticleTextModel, plainText } from '#features/articles';
import { ARTICLE_DESCRIPTION_MAX_LENGTH, type ArticleLanguage } from '#features/articles/contract';
import { keptPerSite } from './perSite.ts';

/** What readers see of an article in one language, without its text. */
export interface PublishedEntry {
  article: string;
  lang: ArticleLanguage;
  title: string;
  /** As written by the team, else the beginning of the text. */
  description: string;
  slug: string;
  at: Date;
}

/** An article with the languages in which readers see it. */
interface PublishedArticleEntry {
  id: string;
  category: string | null;
  texts: Map<ArticleLanguage, PublishedEntry>;
}

/** What readers may see of a site's articles, whichever languages its help centre has. */
export interface PublishedArticles {
  /** Differs for each state; part of cache keys. */
  key: number;
  /** By id, in the order that the team gave them. */
  articles: Map<string, PublishedArticleEntry>;
  /** The article that has, or had, this slug in this language, by `slugKey`. */
  slugs: Map<string, string>;
  /** Slugs of articles that were withdrawn, by `slugKey`: answered with 410 instead of 404. */
  withdrawn: Set<string>;
}

const BYTES_MAX = 32 * 2 ** 20;
/** About the memory that an entry takes besides its texts. */
const ENTRY_BYTES = 600;

export const slugKey = (lang: string, slug: string) => `${lang} ${slug}`;

let keys = 0;

/** The published articles of a site, cached until something changes. */
export const publishedArticles = keptPerSite<PublishedArticles>(BYTES_MAX, async (site) => {
  const published: PublishedArticles = { key: ++keys, articles: new Map(), slugs: new Map(), withdrawn: new Set() };
  let bytes = 0;
  const docs = await ArticleModel.find({ site }, { category: 1, status: 1 })
    .sort({ position: 1, _id: 1 })
    .lean<Pick<ArticleDoc, '_id' | 'category' | 'status'>[]>();
  const statuses = new Map(docs.map(({ _id, status }) => [_id.toHexString(), status]));
  for (const { _id, category, status } of docs) {
    const id = _id.toHexString();
    if (status === 'published') published.articles.set(id, { id, category, texts: new Map() });
  }
  const former: [key: string, id: string][] = [];
  const texts = ArticleTextModel.find(
    { site, 'published.slug': { $exists: true } },
    { article: 1, lang: 1, published: 1, formerSlugs: 1 },
  ).lean<Pick<ArticleTextDoc, 'article' | 'lang' | 'published' | 'formerSlugs'>>();
  for await (const { article, lang, published: text, formerSlugs } of texts.cursor()) {
    const id = article.toHexString();
    if (!text || !statuses.has(id)) continue;
    const keysOfText = [text.slug, ...formerSlugs].map((slug) => slugKey(lang, slug));
    const entry = published.articles.get(id);
    if (!entry) {
      for (const key of keysOfText) published.withdrawn.add(key);
      continue;
    }
    const description = text.description || plainText(text.text, ARTICLE_DESCRIPTION_MAX_LENGTH / 2);
    entry.texts.set(lang, { article: id, lang, title: text.title, description, slug: text.slug, at: text.at });
    published.slugs.set(slugKey(lang, text.slug), id);
    former.push(...keysOfText.slice(1).map((key): [string, string] => [key, id]));
    bytes += 2 * (text.title.length + description.length + 2 * keysOfText.join('').length) + ENTRY_BYTES;
  }
  // A former slug that another article has now leads to that one.
  for (const [key, id] of former) if (!published.slugs.has(key)) published.slugs.set(key, id);
  return { value: published, bytes };
});

/** An article's text for readers of a language: in this one, or else in the main one; undefined: they do not see it. */
export function entryFor(
  article: { texts: Map<ArticleLanguage, PublishedEntry> } | undefined,
  lang: ArticleLanguage,
  main: ArticleLanguage,
): PublishedEntry | undefined {
  return article?.texts.get(lang) ?? article?.texts.get(main);
}

/** The Markdown of what readers see. */
export async function publishedText({
  article,
  lang,
}: Pick<PublishedEntry, 'article' | 'lang'>): Promise<string | null> {
  const stored = await ArticleTextModel.findOne({ article, lang }, { 'published.text': 1 }).lean<ArticleTextDoc>();
  return stored?.published?.text ?? null;
}

/** The sizes of an article's pictures, so that pages do not jump while these are loaded. */
export async function pictureSizes({
  article,
}: Pick<PublishedEntry, 'article'>): Promise<Map<string, { width: number; height: number }>> {
  const stored = await ArticleModel.findOne({ _id: article }, { pictures: 1 }).lean<ArticleDoc>();
  return new Map(
    (stored?.pictures ?? []).flatMap(({ key, width, height }) =>
      width && height ? [[`/api/files/${key}`, { width, height }]] : [],
    ),
  );
}
