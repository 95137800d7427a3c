import { ArticleModel } from '#features/articles';
import type { ArticleLanguage, ArticleLink } from '#features/articles/contract';
import { findArticles } from '#features/help';
import type { SiteDoc } from '#features/sites';
import type { AnswerSource } from './contract.ts';
import { assistantOf } from './settings/settings.ts';

/** As many links as a visitor gets while writing. */
const LINKS_MAX = 3;

/** Asks a question as a visitor would. @returns null: what came says nothing about the articles, such as that the model failed */
export type AskAssistant = (
  site: SiteDoc,
  question: string,
  lang: ArticleLanguage,
) => Promise<{ sources: AnswerSource[] } | null>;

/** The articles that the assistant may answer with and that are about a question, the best first. */
export async function linksFor(
  site: SiteDoc,
  question: string,
  lang: ArticleLanguage,
  publicUrl: string | null,
): Promise<AnswerSource[]> {
  const links = await findArticles(site, question, { lang, limit: LINKS_MAX, publicUrl });
  return (await inCategories(site, links)).map(({ _id, title, lang: of, url }) => ({
    title,
    article: _id,
    lang: of,
    url: publicUrl === null ? null : url,
  }));
}

async function inCategories(site: SiteDoc, links: ArticleLink[]): Promise<ArticleLink[]> {
  const { categories } = assistantOf(site);
  if (categories.length === 0 || links.length === 0) return links;
  const filter = { _id: { $in: links.map(({ _id }) => _id) }, category: { $in: categories } };
  const found = await ArticleModel.find(filter, { _id: 1 }).lean();
  const ids = new Set(found.map(({ _id }) => _id.toHexString()));
  return links.filter(({ _id }) => ids.has(_id));
}

/** Asks as far as the server can: without a model, what is found is the answer. */
export const askerOf =
  ({ publicUrl }: { publicUrl: string | null }): AskAssistant =>
  async (site, question, lang) => ({ sources: await linksFor(site, question, lang, publicUrl) });
