import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Schema, Types } from 'mongoose';
import { removeBlobs, writeBlob } from './blobs.ts';
import type { Attachment } from './contract.ts';
import { detectType, pictureName, sanitizeFileName } from './kind.ts';
import { type FileDoc, FileModel } from './model.ts';
import type { PictureSender, Pictures } from './pictures.ts';
import type { ReceivedFile } from './receive.ts';

const KEY_BYTES = 32;
const BATCH = 100;

/** The fields of its file that a message stores. */
export type MessageFile = Pick<FileDoc, 'key' | 'name' | 'mime' | 'size'> & {
  width?: number;
  height?: number;
  /** The SHA-256 of the bytes as they were sent. */
  digest: string;
};

/** A file that something other than a message has, in a list; `_id` is that of the stored file. */
export interface ListedFile extends MessageFile {
  _id: Types.ObjectId;
  at: Date;
}

/** Such a list in a schema; absent: none. */
export const listedFiles = {
  type: [
    {
      _id: Schema.Types.ObjectId,
      key: String,
      name: String,
      mime: String,
      size: Number,
      width: Number,
      height: Number,
      digest: String,
      at: Date,
    },
  ],
  default: undefined,
};

/** A stored file whose message may not be committed yet. */
export interface StoredFile {
  _id: Types.ObjectId;
  file: MessageFile;
}

/** The site, chat and sender of a file. */
export interface FileOrigin {
  site: Types.ObjectId;
  sender: PictureSender;
  name: string;
}

/**
 * Stores a file for a message that will be committed under the same id. Pictures are re-encoded; other files are streamed
 * from the disk to the store.
 * @throws AppError 422 for a picture that cannot be decoded, 503 when too many wait to be decoded
 */
export async function storeFile(
  { size, digest, pieces }: ReceivedFile,
  { site, sender, name }: FileOrigin,
  pictures: Pictures,
): Promise<StoredFile> {
  const { mime, isPicture } = await detectType(pieces());
  const clean = sanitizeFileName(name);
  if (!isPicture) {
    const row = await keep(pieces(), { site, name: clean, mime, size, uncertain: true });
    return { _id: row._id, file: { ...fileFields(row), digest } };
  }
  const { bytes, format, width, height } = await pictures.reencode({ size, pieces, field: 'file' }, sender);
  const about = { name: pictureName(clean, format), mime: `image/${format}`, size: bytes.length };
  const row = await keep(Readable.from([bytes]), { site, ...about, uncertain: true });
  return { _id: row._id, file: { ...fileFields(row), width, height, digest } };
}

const fileFields = ({ key, name, mime, size }: FileDoc) => ({ key, name, mime, size });

/**
 * Stores an avatar or a logo as a square.
 * @param sent a file that `detectType` recognized as a picture
 * @param field the field's name in the form
 * @returns its key
 * @throws AppError 422 for a picture that cannot be decoded, 503 when too many wait to be decoded
 */
export async function storePicture(
  sent: Buffer,
  { owner, field }: { owner: Types.ObjectId; field: string },
  pictures: Pictures,
): Promise<string> {
  const source = { size: sent.length, pieces: () => Readable.from([sent]), field };
  const { bytes, format } = await pictures.reencodeSquare(source, { pool: 'staff', key: `u:${owner}` });
  const about = { name: `picture.${format}`, mime: `image/${format}`, size: bytes.length };
  const { key } = await keep(Readable.from([bytes]), { owner, ...about });
  return key;
}

type About = Omit<FileDoc, '_id' | 'key' | 'createdAt'>;

async function keep(pieces: AsyncIterable<Uint8Array>, about: About): Promise<FileDoc> {
  const row = {
    _id: new Types.ObjectId(),
    key: randomBytes(KEY_BYTES).toString('base64url'),
    createdAt: new Date(),
    ...about,
  };
  await FileModel.create(row);
  await writeBlob(row._id, pieces);
  return row;
}

/** Confirms a file: its message is committed. */
export async function confirmFile(_id: Types.ObjectId): Promise<void> {
  await FileModel.updateOne({ _id }, { $unset: { uncertain: 1 } });
}

/** Marks files that are about to be removed: if the removal is interrupted, the job for uncertain files decides. */
export async function doubtFiles(ids: Types.ObjectId[]): Promise<void> {
  await FileModel.updateMany({ _id: { $in: ids } }, { $set: { uncertain: true } });
}

/** Removes files, the bytes before the rows, so that what a crash leaves can still be found. Idempotent. */
export async function removeFiles(ids: Types.ObjectId[]): Promise<void> {
  if (ids.length === 0) return;
  await removeBlobs(ids);
  await FileModel.deleteMany({ _id: { $in: ids } });
}

/** Removes the file with this key, if it exists. */
export async function removeFileByKey(key: string): Promise<void> {
  const row = await FileModel.findOne({ key }, { _id: 1 }).lean<FileDoc>();
  if (row) await removeFiles([row._id]);
}

/** Removes all files of a deleted site. */
export async function purgeFiles(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const rows = await FileModel.find({ site }, { _id: 1 }).limit(BATCH).lean<FileDoc[]>();
    await removeFiles(rows.map(({ _id }) => _id));
    if (rows.length < BATCH) return;
  }
}

/** A file's address, relative to the product's origin. */
function fileUrl(key: string): string {
  return `/api/files/${key}`;
}

/** A picture's address; null: there is none. */
export function pictureUrl(key: string | null | undefined): string | null {
  return key ? fileUrl(key) : null;
}

/** A message's file, as agents and visitors receive it. */
export function attachmentView({ key, name, size, mime, width, height }: MessageFile): Attachment {
  const shape = width === undefined || height === undefined ? {} : { width, height };
  return { url: fileUrl(key), name, size, mime, ...shape };
}
