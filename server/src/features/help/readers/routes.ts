import type { Request, Router } from 'express';
import {
  ARTICLE_COMMENT_MAX_LENGTH,
  ARTICLE_SLUG_MAX_LENGTH,
  type ArticleReadersApi,
  type ArticlesApi,
} from '#features/articles/contract';
import type { SignedInGuard } from '#features/auth';
import { requirement, siteFor } from '#features/sites';
import { anyPage, isMachine, widgetSite } from '#features/visitors';
import { PAGE_URL_MAX_LENGTH, WIDGET_CONFIG_MAX_AGE_S } from '#features/visitors/contract';
import { addressKey, endpoints, flag, type InputSchema, type Limits, notFound, text } from '#platform/http';
import { buttonRoutes } from './buttons.ts';
import { countReading } from './figures.ts';
import { findArticles } from './find.ts';
import { rememberQuestion, removeQuestion, unansweredQuestions } from './questions.ts';
import { type HelpSite, isHelp, readersLanguage } from './resolve.ts';
import { articleBySlug, entryBySlug, linksForPage } from './widget.ts';

const QUESTION_MAX_LENGTH = 500;
const LANGUAGE_MAX_LENGTH = 64;
const ANSWERS_MAX = 3;
const RESULTS_MAX = 8;

const lang = text({ label: 'lang', max: LANGUAGE_MAX_LENGTH, optional: true, blank: true });
const question = text({ label: 'q', max: QUESTION_MAX_LENGTH });
const listSchema: InputSchema = {
  lang,
  page: text({ label: 'page', max: PAGE_URL_MAX_LENGTH, optional: true, blank: true }),
};
const langSchema: InputSchema = { lang };
/** The composer asks before anything is typed, too. */
const searchSchema: InputSchema = {
  q: text({ label: 'q', max: QUESTION_MAX_LENGTH, optional: true, blank: true }),
  lang,
};
const answersSchema: InputSchema = {
  q: question,
  lang,
  all: text({ label: 'all', max: 3, optional: true, blank: true }),
};
const feedbackSchema: InputSchema = {
  lang,
  helped: flag('helped'),
  comment: text({ label: 'comment', max: ARTICLE_COMMENT_MAX_LENGTH, optional: true, blank: true }),
};

interface ReaderDeps {
  signedIn: SignedInGuard;
  limits: Limits;
  publicUrl: string | null;
}

/** The calls of the widget about articles, and those of the team about what readers look for. */
export function readerRoutes({ signedIn: { orKey }, limits, publicUrl }: ReaderDeps): Router[] {
  return [widgetRoutes(limits, publicUrl), buttonRoutes(limits), teamRoutes(orKey, publicUrl)];
}

/** The origin by which a call has reached this server. */
const originOf = (req: Request) => `${req.protocol}://${req.get('host')}`;

/** The site of a page's widget, if it has a help centre. @throws AppError 404 */
async function helpOfPage(
  { origin }: { origin: string | undefined },
  { widgetCode }: { widgetCode: string },
): Promise<HelpSite> {
  const site = await widgetSite(widgetCode, origin);
  if (!isHelp(site)) throw notFound('help center');
  return site;
}

function widgetRoutes(limits: Limits, publicUrl: string | null): Router {
  const { router, on } = endpoints<ArticleReadersApi>();
  const ofPage = { authenticate: anyPage, authorize: helpOfPage };
  const isPerson = (req: Request) => !isMachine(req.get('user-agent') ?? '');
  /** Pages are elsewhere, so addresses and pictures need the origin of this server. */
  const originFor = (req: Request) => publicUrl ?? originOf(req);

  on('GET /widget/:widgetCode/articles', { ...ofPage, query: listSchema }, async ({ access, query, req, res }) => {
    await limits.take('articlesPerAddress', addressKey(req.ip));
    const asked = { lang: readersLanguage(access.help, query.lang), publicUrl: originFor(req) };
    res.setHeader('Cache-Control', `max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
    return { data: { articles: await linksForPage(access, query.page ?? '', asked) } };
  });

  on(
    'GET /widget/:widgetCode/articles/:slug',
    { ...ofPage, query: langSchema },
    async ({ access, query, params: { slug }, req, res }) => {
      await limits.take('articlesPerAddress', addressKey(req.ip));
      const asked = { lang: readersLanguage(access.help, query.lang), publicUrl: originFor(req) };
      const article = await articleBySlug(access, slug.slice(0, ARTICLE_SLUG_MAX_LENGTH), asked);
      if (isPerson(req)) countReading(access._id.toHexString(), article._id, 'read');
      res.setHeader('Cache-Control', `max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
      return { data: { article } };
    },
  );

  on('GET /widget/:widgetCode/answers', { ...ofPage, query: answersSchema }, async ({ access, query, req, res }) => {
    await limits.take('articleSearchesPerAddress', addressKey(req.ip));
    await limits.take('articleSearchesPerSite', access._id.toHexString());
    const isSearch = query.all === 'yes';
    const asked = { lang: readersLanguage(access.help, query.lang), publicUrl: originFor(req) };
    const articles = await findArticles(access, query.q, { ...asked, limit: isSearch ? RESULTS_MAX : ANSWERS_MAX });
    if (isSearch && articles.length === 0 && isPerson(req))
      await rememberQuestion(access, { text: query.q, lang: asked.lang });
    res.setHeader('Cache-Control', `max-age=${WIDGET_CONFIG_MAX_AGE_S}`);
    return { data: { articles } };
  });

  on(
    'POST /widget/:widgetCode/articles/:slug/feedback',
    { ...ofPage, body: feedbackSchema },
    async ({ access, body, params: { slug }, req }) => {
      await limits.take('articleFeedbackPerAddress', addressKey(req.ip));
      const asked = readersLanguage(access.help, body.lang);
      const { article } = await entryBySlug(access, slug.slice(0, ARTICLE_SLUG_MAX_LENGTH), asked);
      if (!isPerson(req)) return { data: {} };
      if (body.helped !== undefined)
        countReading(access._id.toHexString(), article, body.helped ? 'helped' : 'notHelped');
      if (body.comment) await rememberQuestion(access, { text: body.comment, lang: asked });
      return { data: {} };
    },
  );

  return router;
}

function teamRoutes(orKey: SignedInGuard['orKey'], publicUrl: string | null): Router {
  const { router, on } =
    endpoints<
      Pick<
        ArticlesApi,
        | 'GET /sites/:id/articles/search'
        | 'GET /sites/:id/articles/questions'
        | 'DELETE /sites/:id/articles/questions/:questionId'
      >
    >();
  const needs = requirement(siteFor);

  on(
    'GET /sites/:id/articles/search',
    { authenticate: orKey.read, authorize: needs('articles.read'), query: searchSchema },
    async ({ access: { site }, query, req }) => {
      if (!site.help || !query.q) return { data: { articles: [] } };
      const lang = readersLanguage(site.help, query.lang);
      const asked = { lang, limit: RESULTS_MAX, publicUrl: publicUrl ?? originOf(req) };
      return { data: { articles: await findArticles(site, query.q, asked) } };
    },
  );

  on(
    'GET /sites/:id/articles/questions',
    { authenticate: orKey.read, authorize: needs('articles.read') },
    async ({ access: { site } }) => ({ data: { questions: await unansweredQuestions(site._id) } }),
  );

  on(
    'DELETE /sites/:id/articles/questions/:questionId',
    { authenticate: orKey.manage, authorize: needs('articles.edit') },
    async ({ access: { site }, params: { questionId } }) => {
      await removeQuestion(site._id, questionId);
      return { data: {} };
    },
  );

  return router;
}
