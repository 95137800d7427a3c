import { ArticleModel, type ArticleTextDoc, ArticleTextModel } from '#features/articles';
import type { ArticleLanguage, ArticleLink } from '#features/articles/contract';
import { findArticles } from '#features/help';
import { createRanking, passagesOf } from '#features/knowledge';
import type { SiteDoc } from '#features/sites';
import { inTurns } from '#platform/work';
import type { AnswerSource } from '../contract.ts';
import { assistantOf } from '../settings/settings.ts';

const PASSAGES_MAX = 5;
/** Articles whose passages are compared. */
const ARTICLES_MAX = 5;
/** More are found where the site answers with some of its categories only. */
const FOUND_MAX = 50;

/** A published text that an answer may be made of. */
export interface SourcePassage {
  source: AnswerSource;
  text: string;
}

/** What is looked for. */
interface Wanted {
  question: string;
  /** Search words that the model has chosen. */
  words: string;
  lang: ArticleLanguage;
  publicUrl: string | null;
}

/**
 * The passages of what a site has published that are about a question, the best first; none where no article surely is. In the
 * visitor's language, or in the main one where an article is not translated, as in the help centre.
 */
export async function passagesFor(
  site: SiteDoc,
  { question, words, lang, publicUrl }: Wanted,
): Promise<SourcePassage[]> {
  const { help } = site;
  if (!help?.enabled) return [];
  const found = await findArticles(site, question, { lang, limit: FOUND_MAX, publicUrl, level: 'answer', words });
  const read = found.filter((link) => link.lang === lang || link.lang === help.language);
  const links = (await inCategories(site, read)).slice(0, ARTICLES_MAX);
  const stored = await ArticleTextModel.find(
    { article: { $in: links.map(({ _id }) => _id) } },
    { article: 1, lang: 1, published: 1 },
  ).lean<Pick<ArticleTextDoc, 'article' | 'lang' | 'published'>[]>();
  const passages: SourcePassage[] = [];
  const ranking = createRanking(lang, { keepsTexts: false });
  const pause = inTurns();
  for (const { _id, lang: of, url } of links) {
    const { published } = stored.find((text) => text.article.toHexString() === _id && text.lang === of) ?? {};
    if (!published) continue;
    // Without an address of the server's own, there is no page.
    const source = { title: published.title, article: _id, lang: of, url: url.startsWith('/') ? null : url };
    for (const { headings, text } of passagesOf(published.text)) {
      const id = String(passages.push({ source, text: [headings, text].filter(Boolean).join('\n') }) - 1);
      ranking.add({ id, title: published.title, alsoAsked: [], passages: [{ headings, text }] });
      await pause();
    }
  }
  const { find } = await ranking.done(pause);
  const best = find(question, PASSAGES_MAX, { level: 'page', words }).map(({ id }) => passages[Number(id)]);
  return best.flatMap((passage) => (passage?.text ? [passage] : []));
}

/** Those that the assistant of the site may answer with. */
export async function inCategories(site: SiteDoc, links: ArticleLink[]): Promise<ArticleLink[]> {
  const { categories } = assistantOf(site);
  if (categories.length === 0 || links.length === 0) return links;
  const filter = { _id: { $in: links.map(({ _id }) => _id) }, category: { $in: categories } };
  const inThem = await ArticleModel.find(filter, { _id: 1 }).lean();
  const ids = new Set(inThem.map(({ _id }) => _id.toHexString()));
  return links.filter(({ _id }) => ids.has(_id));
}
