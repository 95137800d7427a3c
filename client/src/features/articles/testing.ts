import type { Article, ArticleEntry, ArticleLanguage, ArticleText, HelpCenter, Site } from 'server/contract';
import { slugOf } from 'server/contract';
import { fakeApi, Refusal } from '../../../test/api.ts';
import { startApp } from '../../../test/app.tsx';
import { id, makeSite, makeUser } from '../../../test/make.ts';
import ArticlePage from './editor/ArticlePage.tsx';
import HelpPage from './HelpPage.tsx';

const ANA = makeUser();
export const OAK = makeSite({ name: 'Oak and Line' });
const AT = '2026-01-05T09:00:00.000Z';

export function makeHelp(parts: Partial<HelpCenter> = {}): HelpCenter {
  return {
    enabled: true,
    handle: 'oak-and-line',
    host: null,
    language: 'en',
    languages: [],
    links: [],
    agentsEdit: false,
    widget: 'off',
    categories: [],
    rev: 1,
    url: 'https://chat.example/help/oak-and-line',
    ...parts,
  };
}

export function makeText(parts: Partial<ArticleText> = {}): ArticleText {
  return {
    lang: 'en',
    title: 'How do I return a table?',
    text: 'Within 30 days.',
    description: '',
    alsoAsked: [],
    slug: 'return-a-table',
    rev: 1,
    updatedAt: AT,
    updatedBy: ANA,
    published: false,
    changed: true,
    outdated: false,
    ...parts,
  };
}

export function makeArticle({ texts = [makeText()], ...parts }: Partial<Article> = {}): Article {
  return {
    _id: id(),
    siteId: OAK._id,
    category: null,
    status: 'draft',
    updatedAt: AT,
    updatedBy: ANA,
    figures: { read: 0, helped: 0, notHelped: 0, chats: 0 },
    texts,
    urls: {},
    ...parts,
  };
}

function entryOf({ texts, siteId: _, urls: __, ...article }: Article): ArticleEntry {
  const states = texts.map(({ lang, title, published, changed, outdated }) => [
    lang,
    { title, published, changed, outdated },
  ]);
  return { ...article, texts: Object.fromEntries(states) };
}

interface World {
  help?: HelpCenter;
  articles?: Article[];
  site?: Site;
  path?: string;
}

/** Opens a screen of the help centre, with a server that keeps articles as the real one does. */
export function startHelp({ help = makeHelp(), articles = [], site = OAK, path = '/dashboard/help' }: World = {}) {
  const api = fakeApi();
  const world = { help, articles };
  const find = (articleId: string | undefined) => world.articles.find(({ _id }) => _id === articleId);
  const missing = () => new Refusal(404, { code: 'NOT_FOUND', message: 'No such article.' });
  const answer = (article: Article | undefined) => (article ? { article: structuredClone(article) } : missing());
  const write = (article: Article, lang: ArticleLanguage, body: Partial<ArticleText>) => {
    const before = article.texts.find((text) => text.lang === lang);
    const after = makeText({ title: '', text: '', slug: '', rev: 0, ...before, ...body, lang, changed: true });
    after.rev = (before?.rev ?? 0) + 1;
    after.title = after.title.trim();
    article.texts = before
      ? article.texts.map((text) => (text.lang === lang ? after : text))
      : [...article.texts, after];
  };
  api.on('GET /sites', { sites: [site], limit: 3 });
  api.on('GET /sites/:id/help-center', () => ({ helpCenter: structuredClone(world.help) }));
  api.on('PATCH /sites/:id/help-center', ({ body }) => {
    world.help = { ...world.help, handle: 'oak-and-line', ...Object(body), rev: world.help.rev + 1 };
    return { helpCenter: world.help };
  });
  api.on('PUT /sites/:id/help-center/categories', ({ body }) => {
    world.help = { ...world.help, categories: Object(body).categories, rev: world.help.rev + 1 };
    return { helpCenter: world.help };
  });
  api.on('GET /sites/:id/articles', () => ({ articles: world.articles.map(entryOf) }));
  api.on('GET /sites/:id/articles/questions', { questions: [] });
  api.on('POST /sites/:id/articles', ({ body }) => {
    const { lang = world.help.language, title = '', category = null } = Object(body);
    const text = makeText({ lang, title, text: '', slug: '' });
    const article = makeArticle({ siteId: site._id, category, texts: [text] });
    world.articles.push(article);
    return answer(article);
  });
  api.on('PUT /sites/:id/articles/order', ({ body }) => {
    const { category, articles: ids } = body as { category: string | null; articles: string[] };
    const moved = ids.flatMap((each) => find(each) ?? []).map((each) => ({ ...each, category }));
    world.articles = [...world.articles.filter(({ _id }) => !ids.includes(_id)), ...moved];
    return {};
  });
  api.on('POST /sites/:id/articles/preview', ({ body }) => ({ html: `<p>${Object(body).text}</p>` }));
  api.on('GET /articles/:id', ({ params }) => answer(find(params.id)));
  api.on('PATCH /articles/:id', ({ params, body }) => answer(Object.assign(find(params.id) ?? {}, body) as Article));
  api.on('DELETE /articles/:id', ({ params }) => {
    world.articles = world.articles.filter(({ _id }) => _id !== params.id);
    return {};
  });
  api.on('PUT /articles/:id/texts/:lang', ({ params, body }) => {
    const article = find(params.id);
    if (!article) return missing();
    const { rev, ...written } = body as ArticleText;
    const before = article.texts.find(({ lang }) => lang === params.lang);
    if ((before?.rev ?? 0) !== rev)
      return new Refusal(409, { code: 'ARTICLE_CHANGED', message: 'Somebody else has changed it.' });
    write(article, params.lang as ArticleLanguage, written);
    return answer(article);
  });
  api.on('POST /articles/:id/publish', ({ params }) => {
    const article = find(params.id);
    if (!article) return missing();
    article.status = 'published';
    article.texts = article.texts.map((text) => ({
      ...text,
      slug: text.slug || slugOf(text.title),
      published: true,
      changed: false,
    }));
    return answer(article);
  });
  const routes = [
    { path: '/dashboard/help', Component: HelpPage },
    { path: '/dashboard/help/:articleId', Component: ArticlePage },
  ];
  const started = startApp(routes, path, { api, signedInAs: ANA });
  /** What somebody else does to a text. */
  const elsewhere = (articleId: string, lang: ArticleLanguage, body: Partial<ArticleText>) => {
    const article = find(articleId);
    if (article) write(article, lang, body);
  };
  return { ...started, world, elsewhere };
}
