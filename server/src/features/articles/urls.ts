import type { SiteDoc } from '#features/sites';
import type { ArticleLanguage } from './contract.ts';
import type { ArticleDoc } from './model.ts';

type Help = NonNullable<SiteDoc['help']>;

/** The base URL of a help centre: the site's own host, or a path of this server. @param publicUrl null: unknown, so that the result is a path */
export function helpCenterUrl(help: Help | undefined, publicUrl: string | null): string | null {
  if (!help?.enabled) return null;
  if (help.host) return `https://${help.host}`;
  return help.handle ? `${publicUrl ?? ''}/help/${help.handle}` : null;
}

/** The address of an article's page below that of the help centre. */
export function articleUrl(helpCenter: string, lang: ArticleLanguage, slug: string): string {
  return `${helpCenter}/${lang}/${encodeURIComponent(slug)}`;
}

/** The category of an article; null: none, or one that was removed. */
export function categoryOf({ category }: Pick<ArticleDoc, 'category'>, help: Help | undefined): string | null {
  return help?.categories.some(({ id }) => id === category) ? category : null;
}
