import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import sirv, { type Options } from 'sirv';
import { nonceOf } from '../security.ts';
import { bytesFor, CACHE_IMMUTABLE, type FindReleaseFile } from './builtFile.ts';

const NONCE_MARK = '__CSP_NONCE__';
const ORIGIN_MARK = '__PUBLIC_URL__';
/** Vite's content-hashed files. */
const HASHED = '/assets/';
/** The content types of hashed files. */
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
const DOCUMENT = 'index.html';

/**
 * Serves the built dashboard: its files, the public pages written as HTML, and the application's page at every other address.
 * Without a build it serves nothing.
 * @param publicUrl the origin of shared links, if the operator has set it
 * @param findKept finds the hashed files of other releases, which pages that are open go on loading
 */
export function dashboard(
  dist: string,
  publicUrl: string | null,
  findKept: FindReleaseFile = async () => null,
): Router {
  const router = Router();
  if (!existsSync(path.join(dist, DOCUMENT))) return router;
  const files = built(dist, {
    setHeaders: (res, file) => {
      const kept = file.startsWith(HASHED) ? CACHE_IMMUTABLE : 'no-cache';
      res.setHeader('Cache-Control', kept);
    },
  });
  // Pages are served below, where their nonce is inserted.
  router.use((req, res, next) => (isPage(req) ? next() : files(req, res, next)));
  router.get(`${HASHED}:name`, async (req, res, next) => {
    const file = isPage(req) ? null : await findKept(req.path.slice(1));
    if (!file) return next();
    res.setHeader('Cache-Control', CACHE_IMMUTABLE);
    res.end(bytesFor(req, res, file, TYPES[path.extname(req.path)] ?? ''));
  });
  router.get('/{*path}', page(documents(dist, publicUrl ?? '')));
  return router;
}

/** The precompressed files of a build, as they were at the start. */
function built(dist: string, options: Options = {}): ReturnType<typeof sirv> {
  const files = sirv(dist, { brotli: true, gzip: true, etag: true, ...options });
  return (req, res, next) => {
    // A new build under a running server deletes files; sirv streams them without an error handler.
    res.on('pipe', (file) => file.once('error', () => res.destroy()));
    files(req, res, next);
  };
}

/** All HTML documents by address; the one under '' serves all other addresses. */
function documents(dist: string, publicUrl: string): Map<string, string> {
  const pages = path.join(dist, 'pages');
  const written = existsSync(pages) ? readdirSync(pages, { recursive: true, encoding: 'utf8' }) : [];
  const files = written.filter((name) => path.basename(name) === DOCUMENT);
  const read = (file: string) => readFileSync(file, 'utf8').replaceAll(ORIGIN_MARK, () => publicUrl);
  return new Map([
    ['', read(path.join(dist, DOCUMENT))],
    ...files.map((name): [string, string] => [addressOf(name), read(path.join(pages, name))]),
  ]);
}

/** `about/index.html` → `/about` */
function addressOf(name: string): string {
  return `/${path.dirname(name).split(path.sep).join('/')}`.replace(/\/\.$/, '/');
}

/** Whether the request opens a page, rather than loads one of its files. */
function isPage({ path: pathname, headers }: Request): boolean {
  return headers.accept?.includes('text/html') || pathname.endsWith('.html') || path.extname(pathname) === '';
}

function page(pages: Map<string, string>): RequestHandler {
  return (req, res, next) => {
    if (!isPage(req)) return next();
    const html = pages.get(withoutEndSlashes(req.path)) ?? pages.get('') ?? '';
    res.setHeader('Cache-Control', 'no-cache');
    res.type('html').send(html.replaceAll(NONCE_MARK, () => nonceOf(res)));
  };
}

/** Removes trailing slashes from a path; the root stays. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
