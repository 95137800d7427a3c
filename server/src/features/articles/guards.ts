import type { Caller } from '#features/auth';
import { mustBeAble, type SiteAccess, siteAccess } from '#features/sites';
import type { Ability } from '#features/team/contract';
import { notFound } from '#platform/http';
import { ARTICLE_LANGUAGES, type ArticleLanguage } from './contract.ts';
import { type ArticleDoc, ArticleModel } from './model.ts';

/** An article, and the caller's role on its site. */
export interface ArticleAccess extends SiteAccess {
  article: ArticleDoc;
}

/**
 * The article, if the caller has this ability on its site. Unknown and foreign ones get the same answer.
 * @throws AppError 404 for an unknown or foreign one, 403 for the wrong role
 */
export async function articleFor(caller: Caller, id: string, ability: Ability): Promise<ArticleAccess> {
  const article = await ArticleModel.findById(id).lean<ArticleDoc>();
  const access = article && (await siteAccess(caller, article.site));
  if (!access) throw notFound('article');
  mustBeAble(access.member, ability);
  return { ...access, article };
}

/** The language of a call's path. @throws AppError 404 when articles cannot be written in it */
export function languageOf(lang: string): ArticleLanguage {
  const known = ARTICLE_LANGUAGES.find((each) => each === lang);
  if (!known) throw notFound('language');
  return known;
}
