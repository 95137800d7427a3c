import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Types } from 'mongoose';
import { removeBlobs, writeBlob } from './blobs.ts';
import type { Attachment } from './contract.ts';
import { cleanName, kindOf, pictureName } from './kind.ts';
import { type FileDoc, FileModel } from './model.ts';
import type { PictureSender, Pictures } from './pictures.ts';
import type { Received } from './receive.ts';

const KEY_BYTES = 32;
const BATCH = 100;

/** What a message keeps of its file. */
export type KeptFile = Pick<FileDoc, 'key' | 'name' | 'mime' | 'size'> & {
  width?: number;
  height?: number;
  /** Of the bytes as they were sent. */
  digest: string;
};

/** A file that is kept, and not yet certain to be needed. */
export interface Kept {
  _id: Types.ObjectId;
  file: KeptFile;
}

/** Where a file belongs, and whose it is. */
export interface FileOf {
  site: Types.ObjectId;
  sender: PictureSender;
  name: string;
}

/**
 * Keeps a file for a message that is still to come under the same id. Pictures are made anew; everything else goes from the
 * disk to the store piece by piece.
 * @throws AppError 422 for a picture that cannot be read, 503 when too many are waiting for that
 */
export async function keepFile(
  { size, digest, pieces }: Received,
  { site, sender, name }: FileOf,
  pictures: Pictures,
): Promise<Kept> {
  const { mime, isPicture } = await kindOf(pieces());
  const clean = cleanName(name);
  if (!isPicture) {
    const row = await keep(pieces(), { site, name: clean, mime, size, uncertain: true });
    return { _id: row._id, file: { ...shown(row), digest } };
  }
  const { bytes, format, width, height } = await pictures.remake({ size, pieces, field: 'file' }, sender);
  const about = { name: pictureName(clean, format), mime: `image/${format}`, size: bytes.length };
  const row = await keep(Readable.from([bytes]), { site, ...about, uncertain: true });
  return { _id: row._id, file: { ...shown(row), width, height, digest } };
}

const shown = ({ key, name, mime, size }: FileDoc) => ({ key, name, mime, size });

/**
 * Keeps a picture of a person, or a logo, as a square.
 * @param sent of a kind that `kindOf` calls a picture
 * @param field what the person calls it
 * @returns its key
 * @throws AppError 422 for a picture that cannot be read, 503 when too many are waiting for that
 */
export async function keepPicture(
  sent: Buffer,
  { owner, field }: { owner: Types.ObjectId; field: string },
  pictures: Pictures,
): Promise<string> {
  const source = { size: sent.length, pieces: () => Readable.from([sent]), field };
  const { bytes, format } = await pictures.remakeSquare(source, { lane: 'staff', key: `u:${owner}` });
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

/** The message of this file stands. */
export async function fileIsNeeded(_id: Types.ObjectId): Promise<void> {
  await FileModel.updateOne({ _id }, { $unset: { uncertain: 1 } });
}

/** Removes files, the bytes first, so that what a crash leaves is still known; repeating it is harmless. */
export async function removeFiles(ids: Types.ObjectId[]): Promise<void> {
  if (ids.length === 0) return;
  await removeBlobs(ids);
  await FileModel.deleteMany({ _id: { $in: ids } });
}

/** Removes the file behind a key, if there is one. */
export async function removeByKey(key: string): Promise<void> {
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
