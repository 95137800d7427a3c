import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { removeBlobs, writeBlob } from './blobs.ts';
import { kindOf } from './kind.ts';
import { type FileDoc, FileModel } from './model.ts';
import { cleanName, pictureName } from './names.ts';
import { remake, remakeSquare } from './pictures.ts';
import type { Received } from './receive.ts';
import { createSlots } from './slots.ts';

const KEY_BYTES = 32;
const BATCH = 100;
/** How many files are in memory at once, with their pixels. */
const AT_ONCE = 2;
const inTurn = createSlots(AT_ONCE);

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

/**
 * Keeps a file for a message that is still to come under the same id. Pictures are made anew.
 * @throws AppError 422 for a picture that cannot be read
 */
export function keepFile(received: Received, site: Types.ObjectId, name: string): Promise<Kept> {
  return inTurn(async () => {
    const sent = await received.read();
    const { mime, isPicture } = await kindOf(sent);
    const picture = isPicture ? await remake(sent) : null;
    const bytes = picture?.bytes ?? sent;
    const clean = cleanName(name);
    const row = await keep(bytes, {
      site,
      name: picture ? pictureName(clean, picture.format) : clean,
      mime: picture?.mime ?? mime,
      uncertain: true,
    });
    const { key, size } = row;
    const shape = picture ? { width: picture.width, height: picture.height } : {};
    return { _id: row._id, file: { key, name: row.name, mime: row.mime, size, ...shape, digest: received.digest } };
  });
}

/**
 * Keeps a picture of a person, or a logo, as a square.
 * @param sent of a kind that `kindOf` calls a picture
 * @param field what the person calls it
 * @returns its key
 * @throws AppError 422 for a picture that cannot be read
 */
export function keepPicture(sent: Buffer, owner: Types.ObjectId, field: string): Promise<string> {
  return inTurn(async () => {
    const { bytes, format, mime } = await remakeSquare(sent, field);
    const { key } = await keep(bytes, { owner, name: `picture.${format}`, mime });
    return key;
  });
}

async function keep(bytes: Buffer, about: Omit<FileDoc, '_id' | 'key' | 'size' | 'createdAt'>): Promise<FileDoc> {
  const row = {
    _id: new Types.ObjectId(),
    key: randomBytes(KEY_BYTES).toString('base64url'),
    size: bytes.length,
    createdAt: new Date(),
    ...about,
  };
  await FileModel.create(row);
  await writeBlob(row._id, bytes);
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
export async function purgeFiles(site: Types.ObjectId): Promise<void> {
  for (;;) {
    const rows = await FileModel.find({ site }, { _id: 1 }).limit(BATCH).lean<FileDoc[]>();
    await removeFiles(rows.map(({ _id }) => _id));
    if (rows.length < BATCH) return;
  }
}
