import type { Attachment } from './contract.ts';
import type { KeptFile } from './keep.ts';

/** Where a file is read, from the product's origin on. */
function fileUrl(key: string): string {
  return `/api/files/${key}`;
}

/** Where a picture is read; null: there is none. */
export function pictureUrl(key: string | null | undefined): string | null {
  return key ? fileUrl(key) : null;
}

/** A message's file as both sides see it. */
export function attachmentView({ key, name, size, mime, width, height }: KeptFile): Attachment {
  const shape = width === undefined || height === undefined ? {} : { width, height };
  return { url: fileUrl(key), name, size, mime, ...shape };
}
