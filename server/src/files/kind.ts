import { TextDecoder } from 'node:util';
import { fileTypeFromBuffer } from 'file-type';
import { PICTURE_TYPES } from './contract.ts';
import type { PictureFormat } from './remake.ts';

const NAMELESS = 'file';

/** Control characters, line ends, and the marks that turn a name around on screen (`exe.gpj` is not `jpg.exe`). */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A file's name as it is kept: the last part of a path, without characters that would hide what it is. */
export function cleanName(given: string): string {
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  return last.replace(UNSEEN, '').trim() || NAMELESS;
}

const ENDINGS: Record<PictureFormat, RegExp> = {
  jpeg: /\.(jpe?g|jfif)$/i,
  png: /\.png$/i,
  webp: /\.webp$/i,
  gif: /\.gif$/i,
};

/** The name of a picture: with the ending of what it is. Saved and opened, it is then nothing else. */
export function pictureName(name: string, format: PictureFormat): string {
  return ENDINGS[format].test(name) ? name : `${name}.${format}`;
}

/**
 * The header by which a browser shows or saves a file.
 * @see RFC 6266, and RFC 8187 for names beyond ASCII
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** What a file is when nothing better is known. */
const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';
/** A type is told from no more than the beginning: some need a walk through all of a file, as far as its sender likes. */
const HEAD_BYTES = 64 * 1024;

/** An animated PNG is a PNG like any other: made anew it stands still. */
const MOVING_PNG = 'image/apng';

/** A type, and whether it is a picture that pages may show. */
export interface Kind {
  mime: string;
  isPicture: boolean;
}

/** What the bytes are, whatever they are called. Mark-up and scripts are text like any other. */
export async function kindOf(pieces: AsyncIterable<Uint8Array>): Promise<Kind> {
  const head: Uint8Array[] = [];
  let read = 0;
  let isText = true;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces) {
    if (read < HEAD_BYTES) head.push(piece.subarray(0, HEAD_BYTES - read));
    read += piece.length;
    isText &&= continuesText(decoder, piece);
    if (!isText && read >= HEAD_BYTES) break;
  }
  if (isText && continuesText(decoder)) return { mime: TEXT, isPicture: false };
  const found = await fileTypeFromBuffer(Buffer.concat(head)).catch(() => undefined);
  const mime = found?.mime ?? UNKNOWN;
  return { mime, isPicture: PICTURE_TYPES.includes(mime) || mime === MOVING_PNG };
}

/** Whether the bytes go on as UTF-8 without control characters other than blanks; without any, whether they end as it. */
function continuesText(decoder: TextDecoder, bytes?: Uint8Array): boolean {
  try {
    const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    return !/[^\P{Cc}\t\n\f\r]/u.test(text);
  } catch {
    return false;
  }
}
