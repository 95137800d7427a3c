import type { Types } from 'mongoose';
import { peopleById } from '#features/auth';
import type { SiteDoc } from '#features/sites';
import type { Article, ArticleEntry, ArticleFigures, ArticleText, ArticleTextState, ByLanguage } from './contract.ts';
import { helpOf } from './helpCenter.ts';
import { type ArticleDoc, ArticleModel, type ArticleTextDoc, ArticleTextModel } from './model.ts';
import { articleUrl, categoryOf, helpCenterUrl } from './urls.ts';

/** What lists show of a text. */
type ListedText = Pick<ArticleTextDoc, 'article' | 'lang' | 'title' | 'rev' | 'textAt' | 'sourceAt'> & {
  published?: { rev: number };
};
type People = Awaited<ReturnType<typeof peopleById>>;

const NO_FIGURES: ArticleFigures = { read: 0, helped: 0, notHelped: 0, chats: 0 };
const LISTED = { article: 1, lang: 1, title: 1, rev: 1, textAt: 1, sourceAt: 1, 'published.rev': 1 };

/** A person who wrote something; null: the account was deleted. */
export function authorView(people: People, id: Types.ObjectId): { _id: string; name: string } | null {
  const person = people.get(id.toHexString());
  return person ? { _id: id.toHexString(), name: person.name } : null;
}

/** How far a text is. @param main when the main language's text was last changed */
function stateOf({ status }: ArticleDoc, text: ListedText, main: ListedText | undefined): ArticleTextState {
  const { title, rev, published, sourceAt } = text;
  return {
    title,
    published: published !== undefined && status === 'published',
    changed: published?.rev !== rev,
    outdated: main !== undefined && main !== text && main.textAt > (sourceAt ?? new Date(0)),
  };
}

/** The articles of a site as its list shows them: categories in their order, those without one last. */
export async function articleEntries(site: SiteDoc, articles: ArticleDoc[]): Promise<ArticleEntry[]> {
  const help = helpOf(site);
  const texts = await ArticleTextModel.find({ site: site._id }, LISTED).lean<ListedText[]>();
  const byArticle = new Map<string, ListedText[]>();
  for (const text of texts) {
    const own = byArticle.get(text.article.toHexString());
    if (own) own.push(text);
    else byArticle.set(text.article.toHexString(), [text]);
  }
  const people = await peopleById(articles.map(({ updatedBy }) => updatedBy));
  const place = (article: ArticleDoc) => {
    const at = help.categories.findIndex(({ id }) => id === article.category);
    return at < 0 ? help.categories.length : at;
  };
  return articles
    .toSorted((a, b) => place(a) - place(b) || a.position - b.position)
    .map((article) => {
      const own = byArticle.get(article._id.toHexString()) ?? [];
      const main = own.find(({ lang }) => lang === help.language);
      const states = own.map((text) => [text.lang, stateOf(article, text, main)]);
      return { ...commonView(site, article, people), texts: Object.fromEntries(states) };
    });
}

function commonView(site: SiteDoc, article: ArticleDoc, people: People): Omit<ArticleEntry, 'texts'> {
  const { _id, status, updatedAt, updatedBy, figures } = article;
  return {
    _id: _id.toHexString(),
    category: categoryOf(article, site.help),
    status,
    updatedAt: updatedAt.toISOString(),
    updatedBy: authorView(people, updatedBy),
    figures: { ...NO_FIGURES, ...figures },
  };
}

/** What readers see of a text, for webhooks; null: it is not published. `url` is null where there is no public page. */
export async function publishedView(site: SiteDoc, textId: Types.ObjectId, publicUrl: string | null) {
  const text = await ArticleTextModel.findById(textId).lean<ArticleTextDoc>();
  const article = text?.published && (await ArticleModel.findById(text.article).lean<ArticleDoc>());
  if (!text?.published || article?.status !== 'published') return null;
  const { title, slug } = text.published;
  const helpCenter = helpCenterUrl(site.help, publicUrl);
  const url = helpCenter?.startsWith('http') ? articleUrl(helpCenter, text.lang, slug) : null;
  return { _id: article._id.toHexString(), title, lang: text.lang, url };
}

/** An article with its texts, the main language's first. */
export async function articleView(site: SiteDoc, article: ArticleDoc, publicUrl: string | null): Promise<Article> {
  const { language } = helpOf(site);
  const texts = await ArticleTextModel.find({ article: article._id }).lean<ArticleTextDoc[]>();
  const main = texts.find(({ lang }) => lang === language);
  const people = await peopleById([article, ...texts].map(({ updatedBy }) => updatedBy));
  const helpCenter = helpCenterUrl(site.help, publicUrl);
  const urls: ByLanguage<string> = {};
  for (const { lang, published } of texts)
    if (published && helpCenter !== null && article.status === 'published')
      urls[lang] = articleUrl(helpCenter, lang, published.slug);
  return {
    ...commonView(site, article, people),
    siteId: site._id.toHexString(),
    texts: texts
      .toSorted((a, b) => Number(b === main) - Number(a === main) || (a.lang < b.lang ? -1 : 1))
      .map((text) => textView(text, stateOf(article, text, main), people)),
    urls,
  };
}

function textView(doc: ArticleTextDoc, state: ArticleTextState, people: People): ArticleText {
  const { lang, text, description, alsoAsked, slug, rev, updatedAt, updatedBy } = doc;
  return {
    lang,
    text,
    description,
    alsoAsked,
    slug,
    rev,
    updatedAt: updatedAt.toISOString(),
    updatedBy: authorView(people, updatedBy),
    ...state,
  };
}
