/** What one file may weigh. */
export const FILE_MAX_BYTES = 10 * 1024 * 1024;
export const FILE_NAME_MAX_LENGTH = 255;
/** What a picture of a person or a logo may weigh, before it becomes a data URL. */
export const PICTURE_MAX_BYTES = 256 * 1024;
/** Every picture of a person or a logo is a square of at most so many pixels a side. */
export const PICTURE_MAX_SIDE = 512;
/** What the form says of anything else. */
export const NOT_A_PICTURE = `A picture must be a PNG, JPEG, WebP or GIF of up to ${PICTURE_MAX_BYTES / 1024} kB.`;

/** The pictures that pages show: no other file is ever handed out as a picture. */
export const PICTURE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** A file of a message, as both sides see it. */
export interface Attachment {
  /** Begins with `/api/files/`; whoever holds it may read the file, until its message is gone. */
  url: string;
  /** To be shown as text: it is what the sender called it. */
  name: string;
  /** Bytes */
  size: number;
  /** Told from the bytes, never from the name; one of `PICTURE_TYPES` may be shown. */
  mime: string;
  /** Pixels; pictures only. */
  width?: number;
  height?: number;
}

/** What goes along with the bytes of a file, which are the body itself (`fetch(url, { method: 'POST', body: file })`). */
export interface UploadQuery {
  name?: string;
  /** The sender's own UUID of the message, as for text: a retry with it is harmless. */
  clientId?: string;
}

/** The call that hands files out. */
export interface FilesApi {
  /** The bytes themselves. */
  'GET /files/:key': { data: Record<string, never> };
}
