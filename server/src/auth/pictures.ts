import type { Types } from 'mongoose';
import { keepPicture, removeByKey, removeFiles } from '../files/keep.ts';
import { eachPicture } from '../files/model.ts';
import type { Pictures } from '../files/pictures.ts';
import type { Limits } from '../http/limits.ts';
import { type UserDoc, UserModel } from './model.ts';

/** What storing pictures needs from the server. */
export interface PictureDeps {
  pictures: Pictures;
  limits: Limits;
}

/**
 * Stores a picture that came as a data URL and passed `pictureField`; the caller has to refer to it. It counts towards
 * the account's limit of files: reading a picture costs as much as reading any other file.
 * @param about whose it is, and the name of its form field
 * @returns the key of its file; null where there is to be none
 * @throws AppError 422 when it cannot be read whole, 429
 */
export async function takePicture(
  { pictures, limits }: PictureDeps,
  given: string | null,
  about: { owner: Types.ObjectId; field: string },
): Promise<string | null> {
  if (given === null) return null;
  await limits.take('staffFilesPerAccount', about.owner.toHexString());
  return keepPicture(bytesOf(given), about, pictures);
}

/** The bytes that a data URL carries. */
export function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

/** Removes a picture that was replaced. What a crash or a race leaves behind is removed by `sweepPictures`. */
export async function dropPicture(key: string | null | undefined): Promise<void> {
  if (key) await removeByKey(key);
}

/** Removes pictures that no account refers to any more, including those of deleted accounts. */
export async function sweepPictures(now: number, signal: AbortSignal): Promise<void> {
  await eachPicture(now, signal, async (files) => {
    const owners = files.flatMap(({ owner }) => owner ?? []);
    const users = await UserModel.find({ _id: { $in: owners } }, { avatar: 1, 'widget.logo': 1 }).lean<UserDoc[]>();
    const shown = new Set(users.flatMap(({ avatar, widget }) => [avatar, widget?.logo]));
    await removeFiles(files.filter(({ key }) => !shown.has(key)).map(({ _id }) => _id));
  });
}
