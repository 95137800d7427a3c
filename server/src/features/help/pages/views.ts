import type { ArticleLanguage, ArticleLink } from '#features/articles/contract';
import type { PublishedArticles, PublishedEntry } from '../readers/published.ts';
import { languagesOf } from '../readers/resolve.ts';
import { articleData, breadcrumbData } from './data.ts';
import { Html, html } from './html.ts';
import { type PageContext, page, pathTo, textsOf } from './layout.ts';
import { type Section, sectionsOf } from './sections.ts';
import { dayIn, directionOf, filled } from './texts.ts';

/** The articles of a category that show at once; the others unfold. */
const SHOWN_AT_ONCE = 6;
const RELATED_MAX = 6;
/** A short article needs no list of its headings. */
const CONTENTS_MIN = 3;

const everyLanguage = ({ help }: PageContext, ...path: string[]) =>
  languagesOf(help).map((lang) => ({ lang, path: pathTo({ base: '', lang }, ...path) }));

/** The start page: all articles by category. */
export function startPage(context: PageContext, published: PublishedArticles): string {
  const texts = textsOf(context);
  const sections = sectionsOf(published, context);
  const link = (entry: PublishedEntry) => html`<li>${articleLink(context, entry)}</li>`;
  const card = ({ id, name, entries }: Section) => {
    const shown = entries.length > SHOWN_AT_ONCE + 1 ? entries.slice(0, SHOWN_AT_ONCE) : entries;
    const rest = entries.slice(shown.length);
    return html`<section class="card" id="${anchorOf(id)}"><h2>${name ?? texts.otherArticles}</h2><ul>${shown.map(link)}</ul>${
      rest.length > 0 &&
      html`<details><summary>${filled(texts.showAll, String(entries.length))}</summary><ul>${rest.map(link)}</ul></details>`
    }</section>\n`;
  };
  return page(context, {
    title: `${context.site.name} · ${texts.help}`,
    path: `/${context.lang}`,
    alternates: everyLanguage(context),
    isStart: true,
    main:
      sections.length > 0
        ? html`<div class="cards">${sections.map(card)}</div>`
        : html`<p class="empty">${texts.noArticles}</p>`,
  });
}

const anchorOf = (category: string | null) => `category-${category ?? 'none'}`;

/** Leads to an article in the language in which it is written. */
function articleLink(context: PageContext, { slug, title, lang }: PublishedEntry): Html {
  return html`<a href="${pathTo(context, slug)}">${inLanguage(context, lang, title)}</a>`;
}

/** Words that may be in another language than the page, and written in another direction. */
function inLanguage(context: PageContext, lang: ArticleLanguage, words: string): Html {
  return lang === context.lang ? html`${words}` : html`<bdi lang="${lang}">${words}</bdi>`;
}

/** An article as its page shows it. */
export interface ShownArticle {
  entry: PublishedEntry;
  /** Of the article in each language that readers see. */
  texts: Map<ArticleLanguage, PublishedEntry>;
  /** Sanitized HTML. */
  body: string;
  headings: { id: string; title: string; isDeeper: boolean }[];
  section: Section | undefined;
  /** What the reader has just said of it. */
  verdict: 'yes' | 'no' | null;
}

/** The page of an article. */
export function articlePage(context: PageContext, article: ShownArticle): string {
  const { entry, texts: translations, section } = article;
  const texts = textsOf(context);
  const own = pathTo({ base: '', lang: entry.lang }, entry.slug);
  const shown = languagesOf(context.help);
  const alternates = shown.flatMap((lang) => {
    const text = translations.get(lang);
    return text ? [{ lang, path: pathTo({ base: '', lang }, text.slug) }] : [];
  });
  const languages = shown.map((lang) => {
    const text = translations.get(lang) ?? entry;
    return { lang, path: pathTo({ base: '', lang }, text.slug) };
  });
  const inStart = (category: string | null) => `/${context.lang}#${anchorOf(category)}`;
  const breadcrumbs = [
    { name: texts.help, path: `/${context.lang}` },
    ...(section?.name ? [{ name: section.name, path: inStart(section.id) }] : []),
    { name: entry.title, path: own },
  ];
  const related = (section?.entries ?? []).filter(({ article: id }) => id !== entry.article).slice(0, RELATED_MAX);
  const isForeign = entry.lang !== context.lang;
  const language = isForeign && html` lang="${entry.lang}" dir="${directionOf(entry.lang)}"`;
  return page(context, {
    title: entry.title,
    description: entry.description,
    path: own,
    alternates,
    languages,
    data: [articleData(context, entry), breadcrumbData(context, breadcrumbs)],
    main: html`<nav class="path" aria-label="${texts.path}"><ol><li><a href="${pathTo(context)}">${texts.help}</a></li>${
      section?.name && html`<li><a href="${context.base}${inStart(section.id)}">${section.name}</a></li>`
    }</ol></nav>
<div class="columns">
<article class="article">
<header><h1${language}>${entry.title}</h1>
<p class="meta">${updated(context, entry)}</p>${isForeign && html`<p class="notice">${texts.untranslated}</p>`}</header>
<div class="text"${language}>
${new Html(article.body)}</div>
${feedback(context, article)}${context.site.widgetEnabled && askUs(context)}
</article>
${(article.headings.length >= CONTENTS_MIN || related.length > 0) && aside(context, article, related)}
</div>`,
  });
}

function updated(context: PageContext, { at }: PublishedEntry): Html {
  const [before = '', after = ''] = textsOf(context).updated.split('{date}');
  return html`${before}<time datetime="${at.toISOString().slice(0, 10)}">${dayIn(context.lang, at)}</time>${after}`;
}

function feedback(context: PageContext, { entry, verdict }: ShownArticle): Html {
  const texts = textsOf(context);
  const action = pathTo(context, entry.slug, 'feedback');
  if (verdict === 'yes') return html`<div class="feedback" id="feedback"><p role="status">${texts.thanks}</p></div>`;
  if (verdict === 'no')
    return html`<div class="feedback" id="feedback"><p role="status">${texts.thanks}</p>
<form method="post" action="${action}"><label for="comment">${texts.lookingFor}</label><input id="comment" name="comment" maxlength="200" required autocomplete="off"><button class="button" type="submit">${texts.send}</button></form></div>`;
  return html`<div class="feedback" id="feedback"><p>${texts.didItHelp}</p>
<form method="post" action="${action}"><button class="button" type="submit" name="helped" value="yes">${texts.yes}</button><button class="button" type="submit" name="helped" value="no">${texts.no}</button></form></div>`;
}

/** Shows as soon as the widget is there. */
function askUs(context: PageContext): Html {
  const texts = textsOf(context);
  return html`<div class="more" data-ask hidden><p>${texts.needMore}</p><button class="button strong" type="button">${texts.askUs}</button></div>`;
}

function aside(context: PageContext, { headings }: ShownArticle, related: PublishedEntry[]): Html {
  const texts = textsOf(context);
  const heading = ({ id, title, isDeeper }: ShownArticle['headings'][number]) =>
    html`<li${isDeeper && html` class="deeper"`}><a href="#${id}">${title}</a></li>`;
  return html`<div class="side">${
    related.length > 0 &&
    html`<nav aria-labelledby="related"><h2 id="related">${texts.related}</h2><ul>${related.map((entry) => html`<li>${articleLink(context, entry)}</li>`)}</ul></nav>`
  }${
    headings.length >= CONTENTS_MIN &&
    html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2><ul>${headings.map(heading)}</ul></nav>`
  }</div>`;
}

/** What was found. */
export function searchPage(context: PageContext, query: string, found: ArticleLink[]): string {
  const texts = textsOf(context);
  const hit = ({ lang, slug, title, excerpt }: ArticleLink) =>
    html`<li><a href="${pathTo(context, slug)}">${inLanguage(context, lang, title)}</a><p>${inLanguage(context, lang, excerpt)}</p></li>`;
  const title = filled(found.length > 0 ? texts.resultsFor : texts.nothingFound, query);
  return page(context, {
    title: query === '' ? texts.search : title,
    path: null,
    languages: everyLanguage(context),
    query,
    main: html`<div class="plain"><h1>${query === '' ? texts.searchFor : title}</h1>${
      found.length > 0
        ? html`<ul class="results">${found.map(hit)}</ul>`
        : query !== '' && html`<p>${texts.otherWords}</p>${context.site.widgetEnabled && askUs(context)}`
    }</div>`,
  });
}

/** Says that a page is not there, or not any more. */
export function missingPage(context: PageContext, wasThere: boolean): string {
  const texts = textsOf(context);
  const title = wasThere ? texts.gone : texts.notFound;
  return page(context, {
    title,
    path: null,
    languages: everyLanguage(context),
    main: html`<div class="plain"><h1>${title}</h1><p>${wasThere ? texts.goneText : texts.notFoundText}</p><p><a href="${pathTo(context)}">${texts.toStart}</a></p></div>`,
  });
}
