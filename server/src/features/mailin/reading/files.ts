import { createHash } from 'node:crypto';
import type { Attachment } from 'postal-mime';
import { FILE_MAX_BYTES, FILE_NAME_MAX_LENGTH } from '#platform/files/contract';
import { storable } from '#platform/text';
import type { MailFile } from './mail.ts';
import { fromWindows1252 } from './texts.ts';

const FILES_MAX = 20;
const LEFT_OUT_MAX = 50;
/** A picture within the text that is smaller is a logo in a signature. */
const SIGNATURE_PICTURE_MAX_BYTES = 20 * 1024;
/** Pixels a side. */
const TRACKER_MAX_SIDE = 2;

/** Signatures and keys that mail programs add to each mail, and other forms of the text. */
const NO_FILES =
  /^(?:application\/(?:x-)?pkcs7-signature|application\/pgp-(?:signature|keys)|text\/x-amp-html|text\/watch-html)$/;
const NAMES: [type: RegExp, name: string][] = [
  [/^message\/rfc822$/, 'message.eml'],
  [/^(?:text\/calendar|application\/ics)$/, 'invite.ics'],
  [/^image\/jpeg$/, 'picture.jpg'],
  [/^image\/png$/, 'picture.png'],
  [/^image\/gif$/, 'picture.gif'],
  [/^text\/plain$/, 'file.txt'],
];

/** The files of a mail that are worth being kept, and the names of those that are too large or too many. */
export function filesOf(attachments: Attachment[]): { files: MailFile[]; leftOut: string[] } {
  const files: MailFile[] = [];
  const leftOut: string[] = [];
  for (const attachment of attachments) {
    const content = bytesOf(attachment);
    if (content.length === 0 || NO_FILES.test(attachment.mimeType) || isDecoration(attachment, content)) continue;
    const name = nameOf(attachment);
    if (files.length < FILES_MAX && content.length <= FILE_MAX_BYTES)
      files.push({ name, content, digest: createHash('sha256').update(content).digest('hex') });
    else if (leftOut.length < LEFT_OUT_MAX) leftOut.push(name);
  }
  return { files, leftOut };
}

/** The parser is asked for bytes. */
const bytesOf = ({ content }: Attachment) => new Uint8Array(content as ArrayBuffer);

function isDecoration({ mimeType, related, disposition, contentId }: Attachment, content: Uint8Array): boolean {
  if (!mimeType.startsWith('image/')) return false;
  const isInText = related || (disposition === 'inline' && contentId !== undefined);
  return (isInText && content.length < SIGNATURE_PICTURE_MAX_BYTES) || isTracker(content);
}

/** Whether it is a picture of a pixel or two. */
function isTracker(content: Uint8Array): boolean {
  if (content.length < 24) return false;
  const view = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const start = view.toString('latin1', 0, 8);
  const sides =
    start === '\x89PNG\r\n\x1a\n'
      ? [view.readUInt32BE(16), view.readUInt32BE(20)]
      : start.startsWith('GIF8') && [view.readUInt16LE(6), view.readUInt16LE(8)];
  return sides !== false && sides.every((side) => side <= TRACKER_MAX_SIDE);
}

/** A file's name without folders, line breaks, and marks of directions that would show another ending. */
function nameOf({ filename, mimeType }: Attachment): string {
  const [last = ''] = fromWindows1252(storable(filename ?? ''))
    .split(/[\\/]/)
    .slice(-1);
  const given = last.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  if (given.length > FILE_NAME_MAX_LENGTH) {
    const [ending = ''] = given.match(/\.\w{1,10}$/) ?? [];
    return given.slice(0, FILE_NAME_MAX_LENGTH - ending.length) + ending;
  }
  return given || (NAMES.find(([type]) => type.test(mimeType))?.[1] ?? 'file');
}
