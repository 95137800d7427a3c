import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import sirv from 'sirv';
import { nonceOf } from './security.ts';

const YEAR_S = 31_536_000;
const LOADER_MAX_AGE_S = 300;
const NONCE_MARK = '__CSP_NONCE__';
/** Vite's content-hashed files. */
const HASHED = '/assets/';

/** The built dashboard: its files, and its one page for every other address; nothing where it is not built. */
export function dashboard(dist: string): Router {
  const router = Router();
  if (!existsSync(dist)) return router;
  const files = sirv(dist, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (res, file) => {
      const kept = file.startsWith(HASHED) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
      res.setHeader('Cache-Control', kept);
    },
  });
  // The page itself must pass below, where its nonce is put in.
  router.use((req, res, next) => (isPage(req) ? next() : files(req, res, next)));
  router.get('/{*path}', page(path.join(dist, 'index.html')));
  return router;
}

/** Whether somebody opens an address, rather than a page asking for one of its files. */
function isPage({ path: asked, headers }: Request): boolean {
  return headers.accept?.includes('text/html') || asked.endsWith('.html') || path.extname(asked) === '';
}

function page(file: string): RequestHandler {
  let html: string | undefined;
  return (req, res, next) => {
    if (!isPage(req)) return next();
    html ??= readFileSync(file, 'utf8');
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(html.replaceAll(NONCE_MARK, () => nonceOf(res)));
  };
}

/** The built widget: `widget.js` for a short time, the files it loads for ever, for pages of any origin. */
export function widgetFiles(dist: string): Router {
  const router = Router();
  if (!existsSync(dist)) return router;
  const files = sirv(dist, { brotli: true, gzip: true, etag: true });
  const serve =
    (maxAge: string): RequestHandler =>
    (req, res, next) => {
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.setHeader('Cache-Control', maxAge);
      files(req, res, () => {
        res.removeHeader('Cache-Control');
        next();
      });
    };
  router.get('/widget.js', serve(`public, max-age=${LOADER_MAX_AGE_S}`));
  router.use('/widget', serve(`public, max-age=${YEAR_S}, immutable`));
  return router;
}
