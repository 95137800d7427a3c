/** The maximum size of a file. */
export const FILE_MAX_BYTES = 10 * 1024 * 1024;
export const FILE_NAME_MAX_LENGTH = 255;
/** The maximum size of an avatar or a logo, before it becomes a data URL. */
export const PICTURE_MAX_BYTES = 256 * 1024;
/** Avatars and logos are squares with at most this many pixels a side. */
export const PICTURE_MAX_SIDE = 512;

/** The image types that pages display: a file of any other type is only downloaded. */
export const PICTURE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** A message's file, as agents and visitors receive it. */
export interface Attachment {
  /** Begins with `/api/files/`. The address is the permission: its holder may read the file until its message is deleted. */
  url: string;
  /** The name that the sender gave: display it as text only. */
  name: string;
  /** Bytes */
  size: number;
  /** Detected from the bytes, never from the name; only `PICTURE_TYPES` may be displayed. */
  mime: string;
  /** Pixels; pictures only. */
  width?: number;
  height?: number;
}

/** The query of an upload; the bytes are the body itself (`fetch(url, { method: 'POST', body: file })`). */
export interface UploadQuery {
  name?: string;
  /** The message's UUID made by the sender, as for text: an idempotency key for retries. */
  clientId?: string;
  /** Of visitors: the id of the greeting that it answers, as for text. */
  greeting?: string;
  /** Of visitors: the id of the chosen department, as for text. */
  department?: string;
}

/** The call that serves files. */
export interface FilesApi {
  /** The bytes themselves. */
  'GET /files/:key': { data: Record<string, never> };
}
