import { helpCenterUrl, renderArticle } from '#features/articles';
import type { ArticleLanguage, ArticleLink, PublishedArticle } from '#features/articles/contract';
import { notFound } from '#platform/http';
import { findArticles, linkOf } from './find.ts';
import { nodesOf } from './nodes.ts';
import { entryFor, type PublishedEntry, pictureSizes, publishedArticles, publishedText } from './published.ts';
import { type HelpSite, resolve } from './resolve.ts';

/** The articles on the widget's first screen. */
const LINKS_MAX = 5;

/** For whom, and from where: `publicUrl` is the origin of this server. */
interface Reader {
  lang: ArticleLanguage;
  publicUrl: string;
}

/** At most five articles for a page: those that its address is about, then the others in the site's order. */
export async function linksForPage(site: HelpSite, page: string, reader: Reader): Promise<ArticleLink[]> {
  const { articles } = await publishedArticles.get(site._id.toHexString());
  const words = wordsOfAddress(page);
  const fitting =
    // An address has few words, and articles are shown anyway.
    words === '' ? [] : await findArticles(site, words, { ...reader, limit: LINKS_MAX, level: 'page' });
  const known = new Set(fitting.map(({ _id }) => _id));
  const url = helpCenterUrl(site.help, reader.publicUrl) ?? '';
  const order = new Map(site.help.categories.map(({ id }, i) => [id, i]));
  const place = (category: string | null) => order.get(category ?? '') ?? order.size;
  const others = [...articles.values()]
    .filter(({ id }) => !known.has(id))
    .sort((a, b) => place(a.category) - place(b.category))
    .flatMap((article) => entryFor(article, reader.lang, site.help.language) ?? []);
  return [...fitting, ...others.slice(0, LINKS_MAX).map((entry) => linkOf(entry, url))].slice(0, LINKS_MAX);
}

/** The words in the path of a page; a host name says nothing of what a page is about. */
function wordsOfAddress(page: string): string {
  if (!URL.canParse(page)) return '';
  const { pathname } = new URL(page);
  try {
    return decodeURIComponent(pathname)
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim();
  } catch {
    return '';
  }
}

/** What readers see at a slug, present or former, or under the id of an article. @throws AppError 404 */
export async function entryBySlug(site: HelpSite, slug: string, lang: ArticleLanguage): Promise<PublishedEntry> {
  const published = await publishedArticles.get(site._id.toHexString());
  const byId = entryFor(published.articles.get(slug), lang, site.help.language);
  if (byId) return byId;
  const found = resolve(published, { help: site.help, lang }, slug);
  const moved = found.kind === 'moved' ? resolve(published, { help: site.help, lang }, found.slug) : found;
  if (moved.kind !== 'shown') throw notFound('article');
  return moved.entry;
}

/** An article as the widget shows it. @throws AppError 404 */
export async function articleBySlug(
  site: HelpSite,
  slug: string,
  { lang, publicUrl }: Reader,
): Promise<PublishedArticle> {
  const entry = await entryBySlug(site, slug, lang);
  const [text, sizes] = await Promise.all([publishedText(entry), pictureSizes(entry)]);
  if (text === null) throw notFound('article');
  const { articles } = await publishedArticles.get(site._id.toHexString());
  return {
    ...linkOf(entry, helpCenterUrl(site.help, publicUrl) ?? ''),
    nodes: nodesOf(renderArticle(text, { origin: publicUrl, sizes })),
    updatedAt: entry.at.toISOString(),
    category: articles.get(entry.article)?.category ?? null,
  };
}
