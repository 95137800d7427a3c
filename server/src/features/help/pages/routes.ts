import type { Request, RequestHandler } from 'express';
import { helpCenterUrl } from '#features/articles';
import { ARTICLE_LANGUAGES, type ArticleLanguage } from '#features/articles/contract';
import { launcherOf } from '#features/settings';
import { isMachine } from '#features/visitors';
import { addressKey } from '#platform/http';
import { countReading } from '../readers/figures.ts';
import { findArticles } from '../readers/find.ts';
import { publishedArticles } from '../readers/published.ts';
import { rememberQuestion } from '../readers/questions.ts';
import { type HelpSite, languagesOf, resolve } from '../readers/resolve.ts';
import { helpByHandle, helpByHost, type PageRequest, type PagesDeps } from './address.ts';
import { markdownOf, renderedArticle } from './articles.ts';
import { sitemap } from './data.ts';
import { feedback } from './feedback.ts';
import { keptPage, sendPage } from './kept.ts';
import { ICON, pathTo } from './layout.ts';
import { missingPage, searchPage, startPage } from './views.ts';

/** The Content-Security-Policy: scripts, styles and pictures of this server only, nothing inline. */
const POLICY =
  "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const PREFIX = '/help/';
const QUERY_MAX_LENGTH = 200;
const RESULTS_MAX = 20;
const HTML = 'text/html; charset=utf-8';

/** The public pages of help centres: at `/help/{handle}`, and at the host names of sites' own. All other requests are passed on. */
export function helpPages(deps: PagesDeps): RequestHandler {
  const ownHost = deps.publicUrl === null ? null : new URL(deps.publicUrl).hostname;
  return async (req, res, next) => {
    const isBelow = req.path.startsWith(PREFIX);
    const [handle = '', ...below] = isBelow ? req.path.slice(PREFIX.length).split('/') : [];
    const atHost = isBelow || req.hostname === ownHost ? null : await helpByHost(req.hostname);
    const site = isBelow ? await helpByHandle(handle) : atHost;
    if (!site || req.path === ICON) {
      // The dashboard's page says that there is nothing here.
      if (isBelow) res.status(404);
      return next();
    }
    const parts = (isBelow ? below : req.path.slice(1).split('/')).map(decoded);
    const path = req.path;
    if (path.length > 1 && path.endsWith('/')) return res.redirect(301, withoutSlashes(path));
    res.locals.route = '/help/:handle';
    res.setHeader('Content-Security-Policy', POLICY);
    const base = isBelow ? PREFIX + handle : '';
    const published = await publishedArticles.get(site._id.toHexString());
    const { logo } = await launcherOf(site.owner);
    const url = helpCenterUrl(site.help, deps.publicUrl) ?? base;
    const lang = languageOf(site, parts[0]) ?? browsersLanguage(req, site);
    const context = { site, help: site.help, logo, lang, base, url };
    await answer(
      { req, res, deps, published, context },
      parts.filter((part, i) => i > 0 || part !== ''),
    );
  };
}

const withoutSlashes = (path: string) => path.replace(/(?<!\/)\/+$/, '').replace(/^\/+/, '/') || '/';

/** A decoded part of a path. Where its encoding is invalid, a character that no address has, so that the answer is 404. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '\0';
  }
}

const languageOf = ({ help }: HelpSite, part: string | undefined): ArticleLanguage | undefined =>
  languagesOf(help).find((lang) => lang === part);

function browsersLanguage(req: Request, { help }: HelpSite): ArticleLanguage {
  return ARTICLE_LANGUAGES.find((lang) => lang === req.acceptsLanguages(languagesOf(help))) ?? help.language;
}

async function answer(asked: PageRequest, parts: string[]): Promise<void> {
  const { req, res, context } = asked;
  const [first, second, third] = parts;
  const isKnown = languageOf(context.site, first) !== undefined;
  if (parts.length === 3 && isKnown && third === 'feedback' && req.method === 'POST')
    return feedback(asked, second ?? '');
  if (req.method !== 'GET' && req.method !== 'HEAD') return void res.status(405).setHeader('Allow', 'GET, HEAD').end();
  if (parts.length === 0) {
    res.vary('Accept-Language').setHeader('Cache-Control', 'no-cache');
    return res.redirect(302, pathTo(context));
  }
  if (parts.length === 1 && first === 'sitemap.xml') return sendSitemap(asked);
  if (parts.length === 1 && first === 'robots.txt') return sendRobots(asked);
  if (!isKnown || parts.length > 2) return missing(asked, false);
  if (second === undefined) return start(asked);
  if (second === 'search' && typeof req.query.q === 'string') return search(asked, req.query.q);
  return article(asked, second);
}

/** The cache key of a page; it includes the state of the help centre. */
function keyOf({ published, context: { site, help, logo, lang, base } }: PageRequest, ...of: string[]): string {
  return JSON.stringify([published.key, site.rev, help.rev, logo, base, lang, ...of]);
}

async function start(asked: PageRequest): Promise<void> {
  const { res, context, published } = asked;
  const make = async () => ({ status: 200, markup: startPage(context, published) });
  sendPage(res, await keptPage(keyOf(asked, 'start'), make), HTML);
}

async function missing(asked: PageRequest, wasThere: boolean): Promise<void> {
  const { res, context } = asked;
  const make = async () => ({ status: wasThere ? 410 : 404, markup: missingPage(context, wasThere) });
  sendPage(res, await keptPage(keyOf(asked, wasThere ? 'gone' : 'missing'), make), HTML);
}

async function article(asked: PageRequest, name: string): Promise<void> {
  const { req, res, context, published } = asked;
  const isMarkdown = name.endsWith('.md');
  const slug = isMarkdown ? name.slice(0, -'.md'.length) : name;
  const found = resolve(published, context, slug);
  if (found.kind === 'moved') {
    const path = pathTo(context, found.slug);
    return res.redirect(301, isMarkdown ? `${path}.md` : path);
  }
  if (found.kind !== 'shown') {
    // The search page without a question, unless an article has this slug.
    return slug === 'search' && !isMarkdown ? search(asked, '') : missing(asked, found.kind === 'withdrawn');
  }
  const { entry } = found;
  if (isMarkdown) {
    res.setHeader('Link', `<${context.url}${pathTo({ base: '', lang: entry.lang }, entry.slug)}>; rel="canonical"`);
    const make = async () => ({ status: 200, markup: (await markdownOf(entry)) ?? '' });
    return sendPage(res, await keptPage(keyOf(asked, 'md', entry.slug), make), 'text/markdown; charset=utf-8');
  }
  const verdict = req.query.helped === 'yes' || req.query.helped === 'no' ? req.query.helped : null;
  if (req.method === 'GET' && verdict === null && !isMachine(req.get('user-agent') ?? ''))
    countReading(context.site._id.toHexString(), entry.article, 'read');
  const make = async () => renderedArticle(context, published, entry, verdict);
  sendPage(res, await keptPage(keyOf(asked, 'article', entry.slug, verdict ?? ''), make), HTML);
}

async function search(asked: PageRequest, typed: string): Promise<void> {
  const { req, res, deps, context } = asked;
  const query = typed.toWellFormed().replace(/\s+/g, ' ').trim().slice(0, QUERY_MAX_LENGTH);
  if (query !== '') await deps.limits.take('articleSearchesPerAddress', addressKey(req.ip));
  const { site, lang } = context;
  const found =
    query === '' ? [] : await findArticles(site, query, { lang, limit: RESULTS_MAX, publicUrl: deps.publicUrl });
  if (query !== '' && found.length === 0 && !isMachine(req.get('user-agent') ?? ''))
    await rememberQuestion(site, { text: query, lang });
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', HTML);
  res.send(searchPage(context, query, found));
}

function sendSitemap({ req, res, context, published }: PageRequest): void {
  // Site maps need whole addresses, also where nobody has said what this server is called.
  const url = context.url.startsWith('/') ? `${req.protocol}://${req.get('host')}${context.url}` : context.url;
  res.setHeader('Cache-Control', 'no-cache');
  res.type('application/xml').send(sitemap({ help: context.help, url }, published));
}

/** Search engines read this file at the root of a host only. */
function sendRobots({ res, context: { url, base, help } }: PageRequest): void {
  const search = languagesOf(help).map((lang) => `Disallow: ${base}/${lang}/search\n`);
  res.setHeader('Cache-Control', 'no-cache');
  res.type('text/plain').send(`User-agent: *\n${search.join('')}\nSitemap: ${url}/sitemap.xml\n`);
}
