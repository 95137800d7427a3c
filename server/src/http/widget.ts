import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { minimalHeaders } from './security.ts';

const YEAR_S = 31_536_000;
/** How long browsers may cache a file whose name stays when its content changes. */
const LOADER_MAX_AGE_S = 300;
const ETAG_LENGTH = 8;
/** In order of preference. */
const ENCODINGS = { br: '.br', gzip: '.gz' };
const SCRIPT = 'text/javascript';

/** A file of the build in all its encodings. */
interface BuiltFile {
  plain: Buffer;
  encoded: [encoding: string, bytes: Buffer][];
  etag: string;
}

/**
 * Serves the built widget to pages of any origin: what pages name themselves, `widget.js`, its types and the shims, with a short
 * cache time; the scripts that it loads for ever. The files are few and small, and kept in memory from the start, so that a new build under a running server
 * breaks no page.
 */
export function widgetFiles(dist: string): Router {
  const router = Router();
  const files = existsSync(dist) ? readBuild(dist) : new Map<string, BuiltFile>();

  function brief(name: string, type: string, folder = ''): void {
    router.get(`/${folder}${name}`, (req, res, next) => {
      const file = files.get(name);
      if (!file) return next();
      res.setHeader('ETag', `"${file.etag}"`);
      res.setHeader('Cache-Control', `max-age=${LOADER_MAX_AGE_S}`);
      // A page with cross-origin isolation (COEP) loads a foreign script only with this header, or by CORS as it does the
      // others.
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.send(bytesFor(req, res, file, type));
    });
  }

  brief('widget.js', SCRIPT);
  // Its ending `.ts` would give it the type of a video.
  brief('parley.d.ts', 'text/plain; charset=utf-8');
  for (const name of files.keys()) if (name.startsWith('shims/')) brief(name, SCRIPT, 'widget/');
  router.get('/widget/*path', (req, res, next) => {
    const file = files.get(req.path.slice('/widget/'.length));
    if (!file) return next();
    res.setHeader('Cache-Control', `max-age=${YEAR_S}, immutable`);
    res.end(bytesFor(req, res, file, SCRIPT));
  });
  return router;
}

/** Sets the headers of a file and picks the encoding. @returns the bytes to send */
function bytesFor(req: Request, res: Response, { encoded, plain }: BuiltFile, type: string): Buffer {
  minimalHeaders(res);
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Content-Type', type);
  res.setHeader('Vary', 'Accept-Encoding');
  const [encoding, bytes] = encoded.find(([name]) => req.acceptsEncodings(name)) ?? ['', plain];
  if (encoding) res.setHeader('Content-Encoding', encoding);
  return bytes;
}

/** The scripts and types of a build, by path. Its pages and their styles are served with the headers of pages. */
function readBuild(dist: string): Map<string, BuiltFile> {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|d\.ts)$/.test(name));
  return new Map(names.map((name) => [name.split(path.sep).join('/'), readBuilt(path.join(dist, name))]));
}

function readBuilt(file: string): BuiltFile {
  const plain = readFileSync(file);
  const compressed = Object.entries(ENCODINGS).filter(([, ending]) => existsSync(file + ending));
  return {
    plain,
    encoded: compressed.map(([encoding, ending]) => [encoding, readFileSync(file + ending)]),
    etag: createHash('sha256').update(plain).digest('base64url').slice(0, ETAG_LENGTH),
  };
}
