import type { Router } from 'express';
import { anyone, endpoints } from '../http/endpoint.ts';
import { notFound } from '../http/errors.ts';
import { readBlob } from './blobs.ts';
import { type FilesApi, PICTURE_TYPES } from './contract.ts';
import { disposition } from './kind.ts';
import { type FileDoc, FileModel } from './model.ts';

const YEAR_S = 31_536_000;
const DOWNLOAD = 'application/octet-stream';

/** The call that hands files out: to whoever has the key, from pages of any origin, and never as something that runs. */
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

/** The bytes, once the first of them were found; null: they are gone. */
async function firstPiece({ _id, size }: FileDoc): Promise<AsyncIterable<Uint8Array> | null> {
  const pieces = readBlob(_id, size);
  const first = await pieces.next().catch(() => null);
  if (!first || first.done) return null;
  return (async function* () {
    yield first.value;
    yield* pieces;
  })();
}

/** Only pictures are shown, because they were made anew from their pixels; everything else is saved, as bytes of no type. */
function headersOf({ _id, name, mime, size }: FileDoc): Record<string, string> {
  const isPicture = PICTURE_TYPES.includes(mime);
  return {
    'Content-Type': isPicture ? mime : DOWNLOAD,
    'Content-Disposition': disposition(isPicture ? 'inline' : 'attachment', name),
    'Content-Length': String(size),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    ETag: `"${_id.toHexString()}"`,
    // In the reader's own browser only: a file that is erased must not live on between.
    'Cache-Control': `private, max-age=${YEAR_S}, immutable, no-transform`,
  };
}
