import type { ArticleLanguage } from '#features/articles/contract';
import type { SiteDoc } from '#features/sites';
import { ASSETS } from './assets.ts';
import { Html, html } from './html.ts';
import { directionOf, languageName, PAGE_TEXTS, type PageTexts } from './texts.ts';

/** What all pages of a help centre share. */
export interface PageContext {
  site: SiteDoc;
  help: NonNullable<SiteDoc['help']>;
  /** A URL on the product's origin. */
  logo: string | null;
  lang: ArticleLanguage;
  /** The prefix of all paths: empty on the site's own host, else `/help/{handle}`. */
  base: string;
  /** The address of the help centre, without a slash at the end. */
  url: string;
}

/** What is particular to one page. */
export interface PageParts {
  title: string;
  description?: string;
  /** Its path below the language; null: it has no address of its own, and search engines leave it out. */
  path: string | null;
  /** The same page in other languages: their paths below the help centre. */
  alternates?: { lang: ArticleLanguage; path: string }[];
  /** Where the language switcher leads; absent: to `alternates`. */
  languages?: { lang: ArticleLanguage; path: string }[];
  /** Data for search engines. */
  data?: Html[];
  /** What is in the search field. */
  query?: string;
  /** The start page has its search below a large heading. */
  isStart?: boolean;
  /** The page at the same path in the language that it falls back to. */
  canonical?: string;
  main: Html;
}

/** The texts of a page. */
export const textsOf = ({ lang }: Pick<PageContext, 'lang'>): PageTexts => PAGE_TEXTS[lang];

/** The path of a page of this language; each part of it is encoded. */
export function pathTo({ base, lang }: Pick<PageContext, 'base' | 'lang'>, ...parts: string[]): string {
  return [base, lang, ...parts.map(encodeURIComponent)].join('/');
}

/** The icon of sites without a logo. Without any, browsers ask for /favicon.ico. */
export const ICON = '/favicon.svg';

/** A whole document. */
export function page(context: PageContext, parts: PageParts): string {
  const { site, help, lang, url, base } = context;
  const texts = textsOf(context);
  const center = `${site.name} · ${texts.help}`;
  const title = parts.isStart ? center : `${parts.title} · ${site.name}`;
  const canonical = parts.canonical ?? (parts.path === null ? null : `${url}${parts.path}`);
  const alternates = parts.alternates ?? [];
  const start = alternates.find((each) => each.lang === help.language) ?? alternates[0];
  const switches = parts.languages ?? alternates;
  const { css, script } = ASSETS.of(site);
  return html`<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${parts.description && html`<meta name="description" content="${parts.description}">\n`}${
  canonical === null
    ? html`<meta name="robots" content="noindex">\n`
    : html`<link rel="canonical" href="${canonical}">\n`
}${alternates.map((each) => html`<link rel="alternate" hreflang="${each.lang}" href="${url}${each.path}">\n`)}${
  start && html`<link rel="alternate" hreflang="x-default" href="${url}${parts.isStart ? '' : start.path}">\n`
}<meta property="og:title" content="${parts.title}">
<meta property="og:site_name" content="${center}">
<meta property="og:type" content="${parts.isStart || canonical === null ? 'website' : 'article'}">
<link rel="icon" href="${context.logo ?? ICON}">
<link rel="stylesheet" href="${css}">
${parts.data ?? []}${site.widgetEnabled && widgetTags(site, script)}</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header class="head">
<div class="wide bar">
<a class="brand" href="${pathTo(context)}">${context.logo && html`<img src="${context.logo}" alt="">`}${site.name} <span>${texts.help}</span></a>
${!parts.isStart && searchForm(context, parts.query ?? '')}
${switches.length > 1 && languageList(context, switches, base)}
</div>
${parts.isStart && html`<div class="wide hero"><h1>${texts.welcome}</h1>${searchForm(context, '')}</div>`}
</header>
<main id="content"><div class="wide">
${parts.main}
</div></main>
${footer(context)}
</body>
</html>
`.markup;
}

/** The site's widget, and the script that lets 'Ask us' open it. */
function widgetTags(site: SiteDoc, script: string): Html {
  return html`<script src="/widget.js" data-site-id="${site.widgetCode}" async></script>
<script src="${script}" defer></script>
`;
}

const LENS = new Html(
  '<svg width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" aria-hidden="true"><circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/></svg>',
);

function searchForm(context: PageContext, query: string): Html {
  const texts = textsOf(context);
  return html`<form class="search" role="search" action="${pathTo(context, 'search')}">
<input type="search" name="q" value="${query}" placeholder="${texts.searchFor}" aria-label="${texts.searchFor}" maxlength="200" autocomplete="off">
<button type="submit" aria-label="${texts.search}">${LENS}</button>
</form>`;
}

function languageList({ lang }: PageContext, switches: { lang: ArticleLanguage; path: string }[], base: string): Html {
  const item = (each: { lang: ArticleLanguage; path: string }) =>
    html`<li><a href="${base}${each.path}" lang="${each.lang}" hreflang="${each.lang}"${
      each.lang === lang && html` aria-current="true"`
    }>${languageName(each.lang)}</a></li>`;
  return html`<details class="languages"><summary>${languageName(lang)}</summary><ul>${switches.map(item)}</ul></details>`;
}

function footer({ help, site }: PageContext): Html {
  const links = help.links.map(({ label, url }) => html`<a href="${url}" rel="noopener">${label}</a>`);
  return html`<footer class="foot"><div class="wide"><span>${site.name}</span>${links}</div></footer>`;
}
