import type { MessageParts } from '#platform/http/contract';

/** The most articles that one site may have, archived ones included. */
export const ARTICLES_MAX = 500;
export const ARTICLE_CATEGORIES_MAX = 30;
export const ARTICLE_CATEGORY_MAX_LENGTH = 60;
export const ARTICLE_TITLE_MAX_LENGTH = 150;
export const ARTICLE_TEXT_MAX_LENGTH = 40_000;
export const ARTICLE_DESCRIPTION_MAX_LENGTH = 300;
export const ARTICLE_SLUG_MAX_LENGTH = 80;
/** Other ways in which people ask for an article, such as 'where is my parcel'. */
export const ARTICLE_ALSO_ASKED_MAX = 20;
export const ARTICLE_ALSO_ASKED_MAX_LENGTH = 150;
/** The versions that are kept of an article in one language; the oldest go first. */
export const ARTICLE_VERSIONS_MAX = 50;
/** The addresses that one article had before in one language, each of which still leads to it. */
export const ARTICLE_FORMER_SLUGS_MAX = 20;
/** The size of a zip file that is imported, and the addresses that one import of pages takes. */
export const ARTICLE_IMPORT_MAX_BYTES = 50 * 1024 * 1024;
export const ARTICLE_PAGES_MAX = 20;
/** The most omissions that the result of an import lists. */
export const ARTICLE_LEFT_OUT_MAX = 200;
/** The pictures of one article, in all languages and versions. */
export const ARTICLE_PICTURES_MAX = 100;
export const ARTICLE_COMMENT_MAX_LENGTH = 500;
export const HELP_HANDLE_MAX_LENGTH = 40;
export const HELP_LINKS_MAX = 6;
export const HELP_LINK_LABEL_MAX_LENGTH = 40;

/** The languages in which articles can be written: those of the widget. */
export const ARTICLE_LANGUAGES = ['en', 'ar', 'de', 'es', 'fa', 'fr', 'hi', 'ja', 'pt', 'ru', 'tr', 'zh'] as const;
export type ArticleLanguage = (typeof ARTICLE_LANGUAGES)[number];
/** A text for each language that has one. */
export type ByLanguage<Value> = Partial<Record<ArticleLanguage, Value>>;

/**
 * What visitors see of articles in the widget: nothing; articles on the first screen of a visitor without an open chat; always
 * first; or articles and no chat.
 */
export const WIDGET_ARTICLES = ['off', 'first', 'always', 'only'] as const;
export type WidgetArticles = (typeof WIDGET_ARTICLES)[number];

/** The public help centre of a site. */
export interface HelpCenter {
  /** Whether the public pages, and what the widget asks for, are served. */
  enabled: boolean;
  /** Its name in `/help/{handle}`: lower-case letters, digits and `-`; unique on the server. Empty: none was chosen yet. */
  handle: string;
  /** A host name of the site's own that leads to this server; null: none. */
  host: string | null;
  /** The main language, in which each article is written first, and which stands in for languages without a text. */
  language: ArticleLanguage;
  /** The other languages. */
  languages: ArticleLanguage[];
  /** Links at the foot of each page, such as an imprint: https addresses only. */
  links: { label: string; url: string }[];
  /** Whether agents may write and publish, too. */
  agentsEdit: boolean;
  widget: WidgetArticles;
  /** In the order of the pages. */
  categories: ArticleCategory[];
  /** Grows with each change of these settings. */
  rev: number;
  /** The address of the public pages, without a slash at the end; null: there are none. */
  url: string | null;
}

/** A category of articles. */
export interface ArticleCategory {
  /** Made by the client that adds it: a UUID. */
  id: string;
  name: ByLanguage<string>;
}

/** What changes of a help centre; `rev` is the one that was read, and a change since is answered with 409 `SETTINGS_CHANGED`. */
export type HelpCenterPatch = Partial<
  Pick<HelpCenter, 'enabled' | 'handle' | 'host' | 'language' | 'languages' | 'links' | 'agentsEdit' | 'widget'>
> & { rev: number };

/** `published`: readers see what was last published in each language, whatever is written since. */
export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

/** How far the text of one language is. */
export interface ArticleTextState {
  title: string;
  /** Some state of it is published. */
  published: boolean;
  /** The text has changes that are not published. */
  changed: boolean;
  /** The text of the main language is newer than this translation. */
  outdated: boolean;
}

/** An article in the list of a site. */
export interface ArticleEntry {
  _id: string;
  category: string | null;
  status: ArticleStatus;
  texts: ByLanguage<ArticleTextState>;
  /** ISO 8601 UTC */
  updatedAt: string;
  updatedBy: { _id: string; name: string } | null;
  figures: ArticleFigures;
}

/** What readers did with an article. */
export interface ArticleFigures {
  read: number;
  helped: number;
  /** How many said that it did not help. */
  notHelped: number;
  /** Chats that were begun from it. */
  chats: number;
}

/** What is written in one language. */
export interface ArticleText {
  lang: ArticleLanguage;
  title: string;
  /** Markdown */
  text: string;
  /** For search engines and lists; empty: the beginning of the text. */
  description: string;
  alsoAsked: string[];
  /** In the address of the page; unique in its language on the site. */
  slug: string;
  /** Grows with each change, for optimistic locking. */
  rev: number;
  updatedAt: string;
  updatedBy: { _id: string; name: string } | null;
  published: boolean;
  changed: boolean;
  outdated: boolean;
}

/** An article with its texts. */
export interface Article extends Omit<ArticleEntry, 'texts'> {
  siteId: string;
  texts: ArticleText[];
  /** The address of its page, where readers see it; null: they do not. */
  urls: ByLanguage<string>;
}

/** `rev` of the text that was read, 0 for a new one; a change by somebody else since is answered with 409 `ARTICLE_CHANGED`. */
export type ArticleTextBody = Partial<Pick<ArticleText, 'title' | 'text' | 'description' | 'alsoAsked' | 'slug'>> & {
  rev: number;
};

/** A former state of a text. */
export interface ArticleVersion {
  _id: string;
  lang: ArticleLanguage;
  at: string;
  by: { _id: string; name: string } | null;
  title: string;
  /** Whether this state was published. */
  published: boolean;
  /** Characters added and removed since the version before. */
  added: number;
  removed: number;
}

/** What people searched or asked for without a good hit. */
export interface UnansweredQuestion {
  _id: string;
  question: string;
  lang: string;
  /** How often; questions with the same words are one. */
  count: number;
  lastAt: string;
}

/** A link to an article, as search and lists show it. */
export interface ArticleLink {
  _id: string;
  lang: ArticleLanguage;
  slug: string;
  title: string;
  /** The description, or the passage that was found. */
  excerpt: string;
  /** The page's address. */
  url: string;
}

/** A text, or an element with its attributes and content. Only tags and attributes that Markdown makes. */
export type ArticleNode = string | [tag: string, attributes: Record<string, string>, ...content: ArticleNode[]];

/** An article as the widget gets it. */
export interface PublishedArticle extends ArticleLink {
  /** Not HTML: pages with Trusted Types let nobody set that. */
  nodes: ArticleNode[];
  updatedAt: string;
  category: string | null;
}

/** What an import found, or did. Everything is imported as drafts; a second run of the same file changes what is there. */
export interface ArticleImport {
  added: number;
  changed: number;
  unchanged: number;
  /** What was left out, and why. */
  leftOut: ({ source: string; reason: string } & MessageParts)[];
}

/** The calls of articles. */
export interface ArticlesApi {
  'GET /sites/:id/help-center': { data: { helpCenter: HelpCenter } };
  'PATCH /sites/:id/help-center': { body: HelpCenterPatch; data: { helpCenter: HelpCenter } };
  /** All categories in their order. Articles of a category that is missing have none afterwards. */
  'PUT /sites/:id/help-center/categories': {
    body: { categories: ArticleCategory[]; rev: number };
    data: { helpCenter: HelpCenter };
  };
  /** All articles of the site, in the order of their pages. */
  'GET /sites/:id/articles': { data: { articles: ArticleEntry[] } };
  'POST /sites/:id/articles': {
    body: { category?: string | null; title?: string; text?: string; lang?: ArticleLanguage };
    data: { article: Article };
  };
  /** The order of all articles of one category; it also moves articles there. */
  'PUT /sites/:id/articles/order': {
    body: { category: string | null; articles: string[] };
    data: Record<string, never>;
  };
  /** Links for the team: published articles that answer this. */
  'GET /sites/:id/articles/search': { query: { q: string; lang?: string }; data: { articles: ArticleLink[] } };
  'POST /sites/:id/articles/preview': { body: { text: string }; data: { html: string } };
  'GET /sites/:id/articles/questions': { data: { questions: UnansweredQuestion[] } };
  'DELETE /sites/:id/articles/questions/:questionId': { data: Record<string, never> };
  /** The body is a zip of Markdown files with front matter, and their pictures. */
  'POST /sites/:id/articles/import': { query: { dryRun?: 'yes' }; data: ArticleImport };
  /** Reads these pages from the web: public https addresses only. */
  'POST /sites/:id/articles/import-pages': { body: { urls: string[]; lang: ArticleLanguage }; data: ArticleImport };
  'GET /sites/:id/articles/export': { data: never };
  'GET /articles/:id': { data: { article: Article } };
  'PATCH /articles/:id': {
    body: { category?: string | null; status?: 'draft' | 'archived' };
    data: { article: Article };
  };
  /** Only archived articles and drafts that were never published. */
  'DELETE /articles/:id': { data: Record<string, never> };
  'PUT /articles/:id/texts/:lang': { body: ArticleTextBody; data: { article: Article } };
  'DELETE /articles/:id/texts/:lang': { data: { article: Article } };
  /** Shows readers what is written, in one language or in all. */
  'POST /articles/:id/publish': { body: { lang?: ArticleLanguage }; data: { article: Article } };
  'GET /articles/:id/versions': { query: { lang: ArticleLanguage }; data: { versions: ArticleVersion[] } };
  'GET /articles/:id/versions/:versionId': { data: { version: ArticleVersion & { text: string } } };
  /** Writes what the version says; it is not published by that. */
  'POST /articles/:id/versions/:versionId/restore': { body: { rev: number }; data: { article: Article } };
  /** The body is the picture's bytes; `url` is what the Markdown refers to. */
  'POST /articles/:id/pictures': { query: { name?: string }; data: { url: string } };
}

/** What the widget asks for. Without a `lang` that has a text, the main language answers. */
export interface ArticleReadersApi {
  /** The first screen: at most five for this page, by the order of the site where nothing fits better. */
  'GET /widget/:widgetCode/articles': { query: { lang?: string; page?: string }; data: { articles: ArticleLink[] } };
  /** By its slug, a former one, or its id. */
  'GET /widget/:widgetCode/articles/:slug': { query: { lang?: string }; data: { article: PublishedArticle } };
  /**
   * At most three by relevance, or eight with `all`; nothing that is hardly about the question. `all` is a search that somebody
   * sent, which is remembered where nothing was found.
   */
  'GET /widget/:widgetCode/answers': {
    query: { q: string; lang?: string; all?: 'yes' };
    data: { articles: ArticleLink[] };
  };
  'POST /widget/:widgetCode/articles/:slug/feedback': {
    /** `comment` follows an answer that was counted already. */
    body: { lang: string; helped?: boolean; comment?: string };
    data: Record<string, never>;
  };
}

/** Events about articles on the dashboard socket. */
export interface ArticleEvents {
  /** An article or the help centre changed, by whom: the dashboard reads it again. `articleId` null: more than one. */
  articles_updated: (event: { siteId: string; articleId: string | null }) => void;
}

/** The address of a text: lower-case words with `-` between them. Letters of other scripts stay, as browsers show them. */
export function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const cut = words.join('-').slice(0, ARTICLE_SLUG_MAX_LENGTH);
  // The cut must not leave half of a surrogate pair, or a hyphen, at the end.
  return cut.replace(/[\ud800-\udbff]$/, '').replace(/-$/, '');
}
