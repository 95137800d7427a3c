import { existsSync, readFileSync } from 'node:fs';
import type { Request, Response } from 'express';

const YEAR_S = 31_536_000;
/** The endings of compressed files, in order of preference. */
export const ENCODINGS = { br: '.br', gzip: '.gz' };

/** For files whose name changes with their content. */
export const CACHE_IMMUTABLE = `max-age=${YEAR_S}, immutable`;

/** A file of a build in all its encodings. */
export interface BuiltFile {
  plain: Buffer;
  encoded: [encoding: string, bytes: Buffer][];
}

/** Finds a file of another release than this server's; null: there is none of this name. */
export type FindReleaseFile = (name: string) => Promise<BuiltFile | null>;

/** Reads a file of a build, with the compressed ones beside it. */
export function readBuilt(file: string): BuiltFile {
  const compressed = Object.entries(ENCODINGS).filter(([, ending]) => existsSync(file + ending));
  return {
    plain: readFileSync(file),
    encoded: compressed.map(([encoding, ending]) => [encoding, readFileSync(file + ending)]),
  };
}

/** Picks the encoding of a file and sets its headers. @returns the bytes to send */
export function bytesFor(req: Request, res: Response, { encoded, plain }: BuiltFile, type: string): Buffer {
  res.setHeader('Content-Type', type);
  res.setHeader('Vary', 'Accept-Encoding');
  const [encoding, bytes] = encoded.find(([name]) => req.acceptsEncodings(name)) ?? ['', plain];
  if (encoding) res.setHeader('Content-Encoding', encoding);
  return bytes;
}
