import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { minimalHeaders } from '../security.ts';
import { type BuiltFile, bytesFor, CACHE_IMMUTABLE, type FindReleaseFile, readBuilt } from './builtFile.ts';

/** How long browsers may cache a file whose name stays when its content changes. */
const LOADER_MAX_AGE_S = 300;
const ETAG_LENGTH = 8;
const SCRIPT = 'text/javascript';

/**
 * Serves the built widget to pages of any origin: what pages name themselves, `widget.js`, its types and the shims, with a short
 * cache time; the scripts that it loads for ever. The files are few and small, and kept in memory from the start, so that a new
 * build under a running server breaks no page.
 * @param findKept finds the scripts of other releases, which pages that are open go on loading
 */
export function widgetFiles(dist: string, findKept: FindReleaseFile = async () => null): Router {
  const router = Router();
  const files = existsSync(dist) ? readBuild(dist) : new Map<string, BuiltFile>();

  function brief(name: string, type: string, folder = ''): void {
    const file = files.get(name);
    if (!file) return;
    const etag = `"${createHash('sha256').update(file.plain).digest('base64url').slice(0, ETAG_LENGTH)}"`;
    router.get(`/${folder}${name}`, (req, res) => {
      res.setHeader('ETag', etag);
      res.setHeader('Cache-Control', `max-age=${LOADER_MAX_AGE_S}`);
      // A page with cross-origin isolation (COEP) loads a foreign script only with this header, or by CORS as it does the
      // others.
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.send(widgetBytes(req, res, file, type));
    });
  }

  brief('widget.js', SCRIPT);
  // Its ending `.ts` would give it the type of a video.
  brief('parley.d.ts', 'text/plain; charset=utf-8');
  for (const name of files.keys()) if (name.startsWith('shims/')) brief(name, SCRIPT, 'widget/');
  router.get('/widget/*path', async (req, res, next) => {
    const file = files.get(req.path.slice('/widget/'.length)) ?? (await findKept(req.path.slice(1)));
    if (!file) return next();
    res.setHeader('Cache-Control', CACHE_IMMUTABLE);
    res.end(widgetBytes(req, res, file, SCRIPT));
  });
  return router;
}

/** Sets the headers that pages of any origin need. @returns the bytes to send */
function widgetBytes(req: Request, res: Response, file: BuiltFile, type: string): Buffer {
  minimalHeaders(res);
  res.setHeader('Access-Control-Allow-Origin', '*');
  return bytesFor(req, res, file, type);
}

/** The scripts and types of a build, by path. Its pages and their styles are served with the headers of pages. */
function readBuild(dist: string): Map<string, BuiltFile> {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|d\.ts)$/.test(name));
  return new Map(names.map((name) => [name.split(path.sep).join('/'), readBuilt(path.join(dist, name))]));
}
