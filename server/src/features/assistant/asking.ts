import type { ArticleLanguage } from '#features/articles/contract';
import { findArticles } from '#features/help';
import type { SiteDoc } from '#features/sites';
import type { AnswerSource, HandOverReason } from './contract.ts';
import type { Model } from './model/model.ts';
import { createAnswerer, type Outcome } from './runs/answering.ts';
import { inCategories } from './runs/passages.ts';

/** As many links as a visitor gets while writing. */
const LINKS_MAX = 3;
/** More are looked at where the site answers with some of its categories only. */
const FOUND_MAX = 50;
/** They say nothing about the articles. */
const OUTAGES: (HandOverReason | undefined)[] = ['silent', 'failed', 'budget'];

/** Asks questions as visitors do, without a chat. */
export interface Asker {
  /** @returns null: the server has no model */
  answer(site: SiteDoc, question: string, lang: ArticleLanguage): Promise<Outcome | null>;
  /** The articles that are about a question, the best first. */
  links(site: SiteDoc, question: string, lang: ArticleLanguage): Promise<AnswerSource[]>;
  /**
   * What an answer is made of, or without a model the articles that are found; none: a person is to answer.
   * @returns null: what came says nothing about the articles, such as that the model failed
   */
  sources(site: SiteDoc, question: string, lang: ArticleLanguage): Promise<AnswerSource[] | null>;
}

interface AskerDeps {
  model: Model | null;
  publicUrl: string | null;
  now: () => number;
}

/** Makes what asks questions. */
export function createAsker({ model, publicUrl, now }: AskerDeps): Asker {
  const answerer = model && createAnswerer({ model, publicUrl, now });
  const asker: Asker = {
    async answer(site, question, lang) {
      return answerer && (await answerer({ site, question, lang, history: [] }));
    },
    async links(site, question, lang) {
      const found = await findArticles(site, question, { lang, limit: FOUND_MAX, publicUrl });
      const links = (await inCategories(site, found)).slice(0, LINKS_MAX);
      return links.map(({ _id, title, lang: of, url }) => ({
        title,
        article: _id,
        lang: of,
        url: publicUrl === null ? null : url,
      }));
    },
    async sources(site, question, lang) {
      const outcome = await asker.answer(site, question, lang);
      if (!outcome) return asker.links(site, question, lang);
      return OUTAGES.includes(outcome.reason) ? null : outcome.sources;
    },
  };
  return asker;
}
