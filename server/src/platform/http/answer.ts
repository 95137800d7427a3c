import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import type { Response } from 'express';
import { type BuiltFile, bytesFor } from './pages/builtFile.ts';
import { holdUnread } from './unreadAnswers.ts';

export const JSON_TYPE = 'application/json';

/** This many characters of the hash distinguish two answers of one call. */
const ETAG_LENGTH = 12;
/** Larger answers are compressed by the `compression` middleware, which skips those below this size. */
const SMALL_BODY_MAX_BYTES = 1_000;
/** The best quality that takes less than 0.1 ms for such a small body. */
const FAST_BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MIN_WINDOW_BITS },
};

/**
 * Sends JSON; with a conditional request whose ETag matches, only the status 304.
 * @throws AppError 429 for an address with too many unread answers
 * @param compressSmall also compresses small answers, for connections where every byte counts
 */
export function sendJson(res: Response, body: object, compressSmall: boolean): void {
  const { req } = res;
  let bytes = Buffer.from(JSON.stringify(body));
  holdUnread(res, bytes.length);
  res.setHeader('Content-Type', JSON_TYPE);
  // Only GET and HEAD are conditional: other answers need no ETag.
  if (req.method === 'GET' || req.method === 'HEAD') res.setHeader('ETag', weakTag(bytes));
  if (req.fresh) {
    res.removeHeader('Content-Type');
    return void res.status(304).end();
  }
  if (compressSmall && bytes.length < SMALL_BODY_MAX_BYTES && req.acceptsEncodings('br')) {
    bytes = brotliCompressSync(bytes, FAST_BROTLI);
    res.setHeader('Content-Encoding', 'br');
  }
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/** JSON that stays the same as long as the server runs, in all its encodings. */
export interface FixedJson extends BuiltFile {
  etag: string;
}

/** Makes it once, because making and compressing a large one for each caller takes milliseconds. */
export async function fixedJson(body: object): Promise<FixedJson> {
  const plain = Buffer.from(JSON.stringify(body));
  const encoded: BuiltFile['encoded'] = [
    ['br', await brotli(plain)],
    ['gzip', await gzipped(plain)],
  ];
  return { plain, encoded, etag: weakTag(plain) };
}

const brotli = promisify<Buffer, Buffer>(brotliCompress);
const gzipped = promisify<Buffer, Buffer>(gzip);

/** Sends it; with a conditional request whose ETag matches, only the status 304. */
export function sendFixedJson(res: Response, fixed: FixedJson): void {
  res.setHeader('ETag', fixed.etag);
  res.setHeader('Cache-Control', 'no-cache');
  if (res.req.fresh) return void res.status(304).end();
  const bytes = bytesFor(res.req, res, fixed, JSON_TYPE);
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

function weakTag(bytes: Buffer): string {
  return `W/"${createHash('sha1').update(bytes).digest('base64url').slice(0, ETAG_LENGTH)}"`;
}

/**
 * Streams a JSON list as pieces of text while it is read, so that only one item at a time is in memory.
 * @param write gives the text of an item
 */
export async function* jsonList<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  write: (item: Item) => AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before;
    yield* write(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
