import type { ArticleLanguage } from '#features/articles/contract';
import type { SiteDoc } from '#features/sites';
import { entryFor, type PublishedArticles, type PublishedEntry, slugKey } from './published.ts';

/** The site of a help centre that is switched on. */
export type HelpSite = SiteDoc & { help: NonNullable<SiteDoc['help']> };

/** Whether a site has a help centre that is switched on. */
export const isHelp = (site: SiteDoc | null): site is HelpSite => site?.help?.enabled === true;

/** The languages of a help centre, the main one first. */
export function languagesOf({ language, languages }: HelpSite['help']): ArticleLanguage[] {
  return [...new Set([language, ...languages])];
}

/** The language in which a reader gets articles: that of the page (`de-AT`), if the help centre has it, else the main one. */
export function readersLanguage(help: HelpSite['help'], page = ''): ArticleLanguage {
  const [language = ''] = page.toLowerCase().split(/[-_]/, 1);
  return languagesOf(help).find((lang) => lang === language) ?? help.language;
}

/** What is at the address of an article. */
export type Resolved =
  | { kind: 'shown'; entry: PublishedEntry }
  /** It is at another address: redirect. */
  | { kind: 'moved'; slug: string }
  | { kind: 'withdrawn' }
  | { kind: 'unknown' };

/** What readers of a language find under a slug: one of this language, or of another in which the article is written. */
export function resolve(
  published: PublishedArticles,
  { help, lang }: { help: HelpSite['help']; lang: ArticleLanguage },
  slug: string,
): Resolved {
  const order = [lang, ...languagesOf(help).filter((each) => each !== lang)];
  for (const each of order) {
    const id = published.slugs.get(slugKey(each, slug));
    const entry = id === undefined ? undefined : entryFor(published.articles.get(id), lang, help.language);
    if (entry) return entry.slug === slug ? { kind: 'shown', entry } : { kind: 'moved', slug: entry.slug };
  }
  return order.some((each) => published.withdrawn.has(slugKey(each, slug)))
    ? { kind: 'withdrawn' }
    : { kind: 'unknown' };
}
