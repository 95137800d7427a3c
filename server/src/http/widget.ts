import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { bareHeaders } from './security.ts';

const YEAR_S = 31_536_000;
/** How long a page may keep the file that names the others of its build. */
const LOADER_MAX_AGE_S = 300;
const ETAG_LENGTH = 8;
/** The best first. */
const ENCODINGS = { br: '.br', gzip: '.gz' };
const SCRIPT = 'text/javascript';

/** A file of the build in all its encodings. */
interface BuiltFile {
  plain: Buffer;
  encoded: [encoding: string, bytes: Buffer][];
  etag: string;
}

/**
 * The built widget, for pages of any origin: `widget.js` and its types for a short time, the scripts that it loads for ever. They
 * are few and small and kept in memory, as they were at the start: a new build under a running server takes nothing from a page.
 */
export function widgetFiles(dist: string): Router {
  const router = Router();
  const files = existsSync(dist) ? readBuild(dist) : new Map<string, BuiltFile>();

  function brief(name: string, type: string): void {
    router.get(`/${name}`, (req, res, next) => {
      const file = files.get(name);
      if (!file) return next();
      res.setHeader('ETag', `"${file.etag}"`);
      res.setHeader('Cache-Control', `max-age=${LOADER_MAX_AGE_S}`);
      // A page that is isolated (COEP) loads no script of another origin without it, unless it asks by CORS, as for the others.
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.send(bytesFor(req, res, file, type));
    });
  }

  brief('widget.js', SCRIPT);
  // By its ending, a file of types would be a video.
  brief('parley.d.ts', 'text/plain; charset=utf-8');
  router.get('/widget/*path', (req, res, next) => {
    const file = files.get(req.path.slice('/widget/'.length));
    if (!file) return next();
    res.setHeader('Cache-Control', `max-age=${YEAR_S}, immutable`);
    res.end(bytesFor(req, res, file, SCRIPT));
  });
  return router;
}

/** What to send of a file, after its headers were set. */
function bytesFor(req: Request, res: Response, { encoded, plain }: BuiltFile, type: string): Buffer {
  bareHeaders(res);
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Content-Type', type);
  res.setHeader('Vary', 'Accept-Encoding');
  const [encoding, bytes] = encoded.find(([name]) => req.acceptsEncodings(name)) ?? ['', plain];
  if (encoding) res.setHeader('Content-Encoding', encoding);
  return bytes;
}

/** The scripts of a build, and the types, by their paths. Its pages and their styles are served with the headers of pages. */
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
