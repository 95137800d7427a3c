import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { connection } from '#platform/database';
import { type BuiltFile, bytesFor } from '#platform/http';

const BYTES_MAX = 32 * 2 ** 20;
const ETAG_LENGTH = 16;
/** Brotli's quality: as small as gzip at its best, in a tenth of the time of brotli's best. */
const QUALITY = 5;

/** A page as it is sent. */
export interface KeptPage extends BuiltFile {
  status: number;
  etag: string;
}

/** Cache (LRU) of rendered pages. The key includes the state of the site, so that nothing has to be invalidated. */
const pages = new LRUCache<string, Promise<KeptPage>>({ maxSize: BYTES_MAX, sizeCalculation: () => 1_000 });
connection.on('close', () => pages.clear());

/** The page with this key, made if it is not in memory. */
export function keptPage(key: string, make: () => Promise<{ status: number; markup: string }>): Promise<KeptPage> {
  const known = pages.get(key);
  if (known) return known;
  const making = make()
    .then(compressed)
    .then((page) => {
      const bytes = page.encoded.reduce((sum, [, { length }]) => sum + length, page.plain.length + key.length);
      if (pages.peek(key) === making) pages.set(key, making, { size: bytes });
      return page;
    })
    .catch((error) => {
      if (pages.peek(key) === making) pages.delete(key);
      throw error;
    });
  pages.set(key, making);
  return making;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function compressed({ status, markup }: { status: number; markup: string }): Promise<KeptPage> {
  const plain = Buffer.from(markup);
  const [br, gz] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    zip(plain),
  ]);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, ETAG_LENGTH)}"`;
  return {
    status,
    plain,
    etag,
    encoded: [
      ['br', br],
      ['gzip', gz],
    ],
  };
}

/** Sends a page; with a conditional request for this version, only the status 304. */
export function sendPage(res: Response, page: KeptPage, type: string): void {
  res.status(page.status);
  res.setHeader('ETag', page.etag);
  // Browsers revalidate each time, so that a correction shows at once.
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-cache');
  if (page.status === 200 && res.req.fresh) return void res.status(304).end();
  const bytes = bytesFor(res.req, res, page, type);
  res.setHeader('Content-Length', bytes.length);
  res.end(res.req.method === 'HEAD' ? undefined : bytes);
}
