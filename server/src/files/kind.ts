import { fileTypeFromBuffer } from 'file-type';
import { PICTURE_TYPES } from './contract.ts';

/** What a file is when nothing better is known. */
const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';

/** An animated PNG is a PNG like any other: made anew it stands still. */
const MOVING_PNG = 'image/apng';

/** A type, and whether it is a picture that pages may show. */
export interface Kind {
  mime: string;
  isPicture: boolean;
}

/** What the bytes are, whatever they are called. Mark-up and scripts are text like any other. */
export async function kindOf(bytes: Uint8Array): Promise<Kind> {
  if (isText(bytes)) return { mime: TEXT, isPicture: false };
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const mime = found?.mime ?? UNKNOWN;
  return { mime, isPicture: PICTURE_TYPES.includes(mime) || mime === MOVING_PNG };
}

/** Whether the bytes are UTF-8 without control characters other than blanks. */
function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !/[^\P{Cc}\t\n\f\r]/u.test(text);
  } catch {
    return false;
  }
}
