import type { Request, RequestHandler, Response } from 'express';
import type { ArticleLanguage } from '#features/articles/contract';
import { directionOf, type Html, html } from '#features/help';
import { launcherOf } from '#features/settings';
import { type SiteDoc, siteByCode } from '#features/sites';
import { nonceOf } from '#platform/http';
import style from './page.css?raw';
import texts from './texts.json' with { type: 'json' };

const PATH = /^\/c\/([\w-]{1,64})$/;
/** A site's id: the page of mailed links is at the same path. */
const SITE_ID = /^[\da-f]{24}$/i;
const LANGUAGES = Object.keys(texts) as ArticleLanguage[];

/**
 * The page at `/c/{widgetCode}` with nothing but the site's chat, in the language of the browser. All other requests are passed on. As one
 * of the product's own pages, it counts as allowed on every site.
 */
export const chatPages: RequestHandler = async (req, res, next) => {
  const [, code = ''] = PATH.exec(req.path) ?? [];
  if (code === '' || SITE_ID.test(code) || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
  res.locals.route = '/c/:widgetCode';
  const site = await siteByCode(code);
  res.vary('Accept-Language');
  res.setHeader('X-Robots-Tag', 'noindex');
  res.setHeader('Cache-Control', 'no-cache');
  res.type('html');
  if (site?.widgetEnabled) res.send(await chatPage(req, res, site));
  else res.status(404).send(missingPage(req, res));
};

/** Until the widget covers it, and without script, the page says whose it is. */
async function chatPage(req: Request, res: Response, site: SiteDoc): Promise<string> {
  const lang = languageOf(req);
  const { logo } = await launcherOf(site.owner);
  return document(res, {
    lang,
    title: site.name,
    icon: logo,
    head: html`<meta name="theme-color" content="${site.customization.color}">
<script src="/widget.js" data-site-id="${site.widgetCode}" data-inline="body" async></script>
`,
    main: html`${logo && html`<img src="${logo}" alt="">`}<h1>${site.name}</h1><noscript><p>${texts[lang].script}</p></noscript>`,
  });
}

function missingPage(req: Request, res: Response): string {
  const lang = languageOf(req);
  const { missing, why } = texts[lang];
  return document(res, { lang, title: missing, icon: null, main: html`<h1>${missing}</h1><p>${why}</p>` });
}

function languageOf(req: Request): ArticleLanguage {
  return LANGUAGES.find((lang) => lang === req.acceptsLanguages(LANGUAGES)) ?? 'en';
}

interface PageParts {
  lang: ArticleLanguage;
  title: string;
  /** A URL on the product's origin; null: the product's icon. */
  icon: string | null;
  head?: Html;
  main: Html;
}

function document(res: Response, { lang, title, icon, head, main }: PageParts): string {
  return html`<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${icon ?? '/favicon.svg'}">
<style nonce="${nonceOf(res)}">${style}</style>
${head}</head>
<body><main>${main}</main></body>
</html>
`.markup;
}
