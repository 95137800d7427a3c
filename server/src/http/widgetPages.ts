import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';

const POLICY = 'Content-Security-Policy';

/** The page that the settings screens frame: the widget itself, on a page that stands for any website. */
export function widgetPreview(dist: string): Router {
  const router = Router();
  router.use('/widget-preview', (_req, res, next) => {
    // The one page that may be framed, and by the product itself only.
    res.setHeader(POLICY, String(res.getHeader(POLICY)).replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    next();
  });
  router.use('/widget-preview', express.static(path.join(dist, 'preview'), { redirect: false, cacheControl: false }));
  return router;
}

const CODE_MARK = '__WIDGET_CODE__';
/** A site's `widgetCode` or id; nothing of it has a meaning in HTML. */
const CODE = /^[\w-]{1,64}$/;

/** A page of the product's own that carries a site's widget, for whoever wants to see it work before it is installed. */
export function testPage(dist: string): Router {
  const router = Router();
  const folder = path.join(dist, 'test');
  const document = path.join(folder, 'index.html');
  if (!existsSync(document)) return router;
  const html = readFileSync(document, 'utf8');
  router.use('/test', express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.get('/test/:widgetCode', ({ params: { widgetCode } }, res, next) => {
    if (!CODE.test(widgetCode)) return next();
    res.setHeader('X-Robots-Tag', 'noindex');
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(html.replaceAll(CODE_MARK, widgetCode));
  });
  return router;
}

/** The page that a mailed link opens: it carries a site's widget with the visitor's chat. */
export function resumePage(dist: string): Router {
  const router = Router();
  const folder = path.join(dist, 'resume');
  router.use('/c', (_req, res, next) => {
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Robots-Tag', 'noindex');
    next();
  });
  router.use('/c', express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.get('/c/:siteId', (_req, res, next) =>
    res.sendFile('index.html', { root: folder, cacheControl: false }, (error) => (error ? next() : undefined)),
  );
  return router;
}

/**
 * The product's own page is no foreign one: its widget works whatever websites a site allows.
 * @param publicUrl the own origin, if it is known; else only a numeric address and `localhost` can be told to be our own:
 *   any other name may have been pointed at this machine by whoever serves the page (DNS rebinding)
 */
export function forgetOwnOrigin(publicUrl: string | null): RequestHandler {
  return ({ headers }: Pick<Request, 'headers'>, _res, next) => {
    const { origin, host } = headers;
    const isOwn = publicUrl === null ? isAskedByNumber(origin, host) : origin === publicUrl;
    if (isOwn) delete headers.origin;
    next();
  };
}

function isAskedByNumber(origin: string | undefined, host: string | undefined): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const asked = new URL(origin);
  const name = asked.hostname.replace(/^\[(.*)\]$/, '$1');
  return asked.host === host && (name === 'localhost' || isIP(name) !== 0);
}
