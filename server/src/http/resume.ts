import { isIP } from 'node:net';
import path from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';

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
