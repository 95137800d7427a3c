import type { PublishedArticles, PublishedEntry } from '../readers/published.ts';
import { languagesOf } from '../readers/resolve.ts';
import { escaped, type Html, jsonScript } from './html.ts';
import { type PageContext, pathTo } from './layout.ts';

const CONTEXT = 'https://schema.org';

/** An article as search engines read it. */
export function articleData({ site, url }: PageContext, { title, description, lang, slug, at }: PublishedEntry): Html {
  return jsonScript({
    '@context': CONTEXT,
    '@type': 'Article',
    headline: title,
    description,
    inLanguage: lang,
    dateModified: at.toISOString(),
    mainEntityOfPage: `${url}${pathTo({ base: '', lang }, slug)}`,
    publisher: { '@type': 'Organization', name: site.name },
  });
}

/** The way from the start page to a page. */
export function breadcrumbData({ url }: PageContext, breadcrumbs: { name: string; path: string }[]): Html {
  return jsonScript({
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: breadcrumbs.map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: `${url}${path}`,
    })),
  });
}

/** The site map of a help centre: each page with those of the same article in other languages. */
export function sitemap({ help, url }: Pick<PageContext, 'help' | 'url'>, { articles }: PublishedArticles): string {
  const languages = languagesOf(help);
  const address = (lang: PublishedEntry['lang'], ...path: string[]) =>
    escaped(`${url}${pathTo({ base: '', lang }, ...path)}`);
  const alternate = (hreflang: string, href: string) =>
    `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`;
  const start = [...languages.map((lang) => alternate(lang, address(lang))), alternate('x-default', escaped(url))].join(
    '',
  );
  const entries = languages.map((lang) => `<url><loc>${address(lang)}</loc>${start}</url>`);
  for (const { texts } of articles.values()) {
    const shown = languages.flatMap((lang) => texts.get(lang) ?? []);
    const links = shown.map(({ lang, slug }) => alternate(lang, address(lang, slug)));
    const [main] = shown;
    if (main) links.push(alternate('x-default', address(main.lang, main.slug)));
    for (const { lang, slug, at } of shown)
      entries.push(
        `<url><loc>${address(lang, slug)}</loc><lastmod>${at.toISOString()}</lastmod>${links.join('')}</url>`,
      );
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}
