import { type ArticleTextDoc, ArticleTextModel, articleUrl, helpCenterUrl } from '#features/articles';
import { ARTICLE_LANGUAGES, type ArticleLanguage, type ArticleLink } from '#features/articles/contract';
import { createRanking, type Hit, type Level, passagesOf, type RankedSources } from '#features/knowledge';
import type { SiteDoc } from '#features/sites';
import { inTurns } from '#platform/work';
import { keptPerSite } from './perSite.ts';
import { entryFor, type PublishedEntry, publishedArticles } from './published.ts';

/** The memory for the indexes of all sites together. A site with as many articles as allowed takes a part of it. */
const BYTES_MAX = 96 * 2 ** 20;

/** The indexes of a site, by language. */
const rankings = keptPerSite<Map<ArticleLanguage, RankedSources>>(BYTES_MAX, async (siteId) => {
  const { articles } = await publishedArticles.get(siteId);
  const texts = ArticleTextModel.find(
    { site: siteId, 'published.slug': { $exists: true } },
    { article: 1, lang: 1, published: 1 },
  )
    .sort({ article: 1, lang: 1 })
    .lean<Pick<ArticleTextDoc, 'article' | 'lang' | 'published'>>();
  const made = new Map<ArticleLanguage, ReturnType<typeof createRanking>>();
  const pause = inTurns();
  for await (const { article, lang, published } of texts.cursor()) {
    const id = article.toHexString();
    if (!published || !articles.get(id)?.texts.has(lang)) continue;
    const ranking = made.get(lang) ?? createRanking(lang);
    made.set(lang, ranking);
    ranking.add({ ...published, id, passages: passagesOf(published.text) });
    await pause();
  }
  const value: Map<ArticleLanguage, RankedSources> = new Map();
  for (const [lang, ranking] of made) value.set(lang, await ranking.done(pause));
  return { value, bytes: [...value.values()].reduce((sum, { bytes }) => sum + bytes, 0) };
});

/** What is asked, and for whom. */
interface Search {
  lang: ArticleLanguage;
  limit: number;
  publicUrl: string | null;
  level?: Level;
  /** As `RankedSources.find` has them. */
  words?: string;
}

/**
 * The published articles that are about a question, the best first: in the reader's language, in the main one where an article is
 * not translated, and in any other only if that finds nothing.
 */
export async function findArticles(
  site: SiteDoc,
  question: string,
  { lang, limit, publicUrl, ...wanted }: Search,
): Promise<ArticleLink[]> {
  const siteId = site._id.toHexString();
  const [{ articles }, ranked] = await Promise.all([publishedArticles.get(siteId), rankings.get(siteId)]);
  const { help } = site;
  if (!help) return [];
  const shown = new Set([help.language, ...help.languages]);
  const inLanguage = (of: ArticleLanguage) =>
    (ranked.get(of)?.find(question, limit, wanted) ?? []).map((hit) => ({ ...hit, lang: of }));
  const isRead = (hit: Hit & { lang: ArticleLanguage }) =>
    entryFor(articles.get(hit.id), lang, help.language)?.lang === hit.lang;
  const near = [...new Set([lang, help.language])].flatMap(inLanguage).filter(isRead);
  const far = near.length > 0 ? [] : ARTICLE_LANGUAGES.filter((of) => shown.has(of) && of !== lang).flatMap(inLanguage);
  const best = new Map<string, (typeof far)[number]>();
  for (const hit of [...near, ...far].sort((a, b) => b.score - a.score)) if (!best.has(hit.id)) best.set(hit.id, hit);
  const url = helpCenterUrl(help, publicUrl) ?? '';
  return [...best.values()].slice(0, limit).flatMap((hit) => {
    const texts = articles.get(hit.id)?.texts;
    const entry = texts?.get(lang) ?? texts?.get(hit.lang);
    if (!entry) return [];
    return [{ ...linkOf(entry, url), ...(entry.lang === hit.lang && hit.excerpt && { excerpt: hit.excerpt }) }];
  });
}

/** A link to what readers see. @param url of the help centre */
export function linkOf({ article, lang, slug, title, description }: PublishedEntry, url: string): ArticleLink {
  return { _id: article, lang, slug, title, excerpt: description, url: articleUrl(url, lang, slug) };
}
