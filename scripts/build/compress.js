import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT_FILES = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml']);
const COMPRESSED_FILES = new Set(['.br', '.gz']);
/** Smaller files gain less than the header for the encoding costs. */
const COMPRESS_FROM_BYTES = 400;
const GZIP_LEVEL = 9;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes `FILE.br` and `FILE.gz` beside every text file of a folder, so that no request has to compress. */
export async function compressFolder(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.filter((file) => COMPRESSED_FILES.has(extname(file))).map((file) => rm(file)));
  await Promise.all(files.filter((file) => TEXT_FILES.has(extname(file))).map(compress));
}

/** The compressed size for browsers that accept brotli. */
export async function brotliBytes(content) {
  return (await toBrotli(content)).length;
}

/** The compressed size for browsers that accept gzip. */
export async function gzipBytes(content) {
  return (await gzipped(content, { level: GZIP_LEVEL })).length;
}

async function compress(file) {
  const content = await readFile(file);
  if (content.length < COMPRESS_FROM_BYTES) return;
  await writeFile(`${file}.br`, await toBrotli(content));
  await writeFile(`${file}.gz`, await gzipped(content, { level: GZIP_LEVEL }));
}

function toBrotli(content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotli(content, { params });
}
