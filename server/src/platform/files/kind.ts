import { TextDecoder } from 'node:util';
import { fileTypeFromBuffer } from 'file-type';
import { normalized } from '#platform/text';
import { PICTURE_TYPES } from './contract.ts';
import type { PictureFormat } from './reencode.ts';

const NAMELESS = 'file';

/** Control characters, line ends, and marks that reverse the displayed order of a name (`exe.gpj` is not `jpg.exe`). */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A file's name as it is stored: the last part of a path, without characters that could disguise its type. */
export function sanitizeFileName(given: string): string {
  const last = normalized(given, 'NFC').split(/[/\\]/).at(-1) ?? '';
  return last.replace(UNSEEN, '').trim() || NAMELESS;
}

const ENDINGS: Record<PictureFormat, RegExp> = {
  jpeg: /\.(jpe?g|jfif)$/i,
  png: /\.png$/i,
  webp: /\.webp$/i,
  gif: /\.gif$/i,
};

/** A picture's name, with the ending of its real format, so that the saved file opens as nothing else. */
export function pictureName(name: string, format: PictureFormat): string {
  return ENDINGS[format].test(name) ? name : `${name}.${format}`;
}

/**
 * The `Content-Disposition` header, by which a browser displays or saves a file.
 * @see RFC 6266, and RFC 8187 for names beyond ASCII
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** The type of a file that is not recognized. */
const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';
/**
 * Types are detected from the first bytes only: some formats would need a scan of the whole file, whose cost its sender
 * decides.
 */
const HEAD_BYTES = 64 * 1024;

/** An animated PNG is treated as PNG: re-encoding keeps its first frame only. */
const MOVING_PNG = 'image/apng';

/** A type, and whether it is a picture that pages may show. */
export interface DetectedType {
  mime: string;
  isPicture: boolean;
}

/** The type of a file, detected from its bytes. Mark-up and scripts count as plain text. */
export async function detectType(pieces: AsyncIterable<Uint8Array>): Promise<DetectedType> {
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

/**
 * Whether the bytes continue valid UTF-8 without control characters other than white space; without `bytes`, whether the
 * text ends validly.
 */
function continuesText(decoder: TextDecoder, bytes?: Uint8Array): boolean {
  try {
    const text = bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    return !/[^\P{Cc}\t\n\f\r]/u.test(text);
  } catch {
    return false;
  }
}
