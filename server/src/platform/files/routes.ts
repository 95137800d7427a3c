import type { Router } from 'express';
import { anyone, endpoints, notFound } from '#platform/http';
import { readBlob } from './blobs.ts';
import { type FilesApi, PICTURE_TYPES } from './contract.ts';
import { contentDisposition } from './kind.ts';
import { type FileDoc, FileModel } from './model.ts';

const YEAR_S = 31_536_000;
const DOWNLOAD = 'application/octet-stream';

/** The call that serves files: to anyone with the key, from pages of any origin, and never as executable content. */
export function fileRoutes(): Router {
  const { router, on } = endpoints<FilesApi>();

  on('GET /files/:key', { authenticate: anyone, files: [...PICTURE_TYPES, DOWNLOAD] }, async ({ params }) => {
    const file = await FileModel.findOne({ key: params.key }).lean<FileDoc>();
    const first = file && (await firstPiece(file));
    if (!first) throw notFound('file');
    return { file: first, fileName: file.name, headers: headersOf(file) };
  });

  return router;
}

/** Reads until the first bytes are found, so that a missing file can still answer 404; null: the bytes are gone. */
async function firstPiece({ _id, size }: FileDoc): Promise<AsyncIterable<Uint8Array> | null> {
  const pieces = readBlob(_id, size);
  const first = await pieces.next().catch(() => null);
  if (!first || first.done) return null;
  return (async function* () {
    yield first.value;
    yield* pieces;
  })();
}

/**
 * Only pictures are displayed, because they were re-encoded from their pixels; all other files are downloaded as bytes
 * without a type.
 */
function headersOf({ _id, name, mime, size }: FileDoc): Record<string, string> {
  const isPicture = PICTURE_TYPES.includes(mime);
  return {
    'Content-Type': isPicture ? mime : DOWNLOAD,
    'Content-Disposition': contentDisposition(isPicture ? 'inline' : 'attachment', name),
    'Content-Length': String(size),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    ETag: `"${_id.toHexString()}"`,
    // Only the reader's own browser may cache it: a deleted file must not survive in a shared cache.
    'Cache-Control': `private, max-age=${YEAR_S}, immutable, no-transform`,
  };
}
