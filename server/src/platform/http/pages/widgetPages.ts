import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';

const POLICY = 'Content-Security-Policy';

/** The page that the settings screens frame: the widget on a sample page. */
export function widgetPreview(dist: string): Router {
  const router = Router();
  router.use('/widget-preview', (_req, res, next) => {
    // The only page that may be framed, and only by the product itself.
    res.setHeader(POLICY, String(res.getHeader(POLICY)).replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
    next();
  });
  router.use('/widget-preview', express.static(path.join(dist, 'preview'), { redirect: false, cacheControl: false }));
  return router;
}

const CODE_MARK = '__WIDGET_CODE__';
/** A site's `widgetCode` or id; its characters need no escaping in HTML. */
const CODE = /^[\w-]{1,64}$/;

/** A page of our own with a site's widget, to try it before it is installed. */
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

/** The page that a mailed link opens: a site's widget with the visitor's chat. */
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
 * Exempts the product's own pages from the list of websites on which a site allows its widget.
 * @param publicUrl the product's origin, if known; else only numeric addresses and `localhost` count as our own, because any
 *   other name may have been pointed at this machine by an attacker (DNS rebinding)
 */
export function exemptOwnPages(publicUrl: string | null): RequestHandler {
  return ({ headers }: Pick<Request, 'headers'>, _res, next) => {
    const { origin, host } = headers;
    const isOwn = publicUrl === null ? isAskedByNumber(origin, host) : origin === publicUrl;
    if (isOwn) delete headers.origin;
    next();
  };
}

function isAskedByNumber(origin: string | undefined, host: string | undefined): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return url.host === host && (name === 'localhost' || isIP(name) !== 0);
}
