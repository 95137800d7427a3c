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
