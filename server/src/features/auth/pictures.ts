import { Readable } from 'node:stream';
import type { Types } from 'mongoose';
import { detectType, eachPicture, type Pictures, removeFileByKey, removeFiles, storePicture } from '#platform/files';
import { PICTURE_MAX_BYTES } from '#platform/files/contract';
import { type Field, InvalidValue, JSON_SCHEMA, type Limits, sentence } from '#platform/http';
import { type UserDoc, UserModel } from './model.ts';

const DATA_URL = /^data:[\w/+.-]{0,50};base64,(?=[A-Za-z\d+/])[A-Za-z\d+/]*={0,2}$/;

/** Base64 writes three bytes as four characters, after a head such as `data:image/png;base64,`. */
const PICTURE_URL_MAX_LENGTH = Math.ceil(PICTURE_MAX_BYTES / 3) * 4 + 100;

const NOT_A_PICTURE = sentence('A picture must be a PNG, JPEG, WebP or GIF of up to {max} kB.', {
  max: PICTURE_MAX_BYTES / 1024,
});

/** A picture as a data URL, or null for none. Its type is checked by its bytes, not by what the URL claims. */
export const pictureField: Field = {
  optional: { options: { values: 'undefined' } },
  [JSON_SCHEMA]: { type: 'string', format: 'uri', pattern: '^data:image/', maxLength: PICTURE_URL_MAX_LENGTH },
  errorMessage: NOT_A_PICTURE,
  custom: {
    errorMessage: NOT_A_PICTURE,
    options: async (value: unknown) => {
      if (value !== null && !(await isPicture(value))) throw new InvalidValue(NOT_A_PICTURE);
    },
  },
};

async function isPicture(value: unknown): Promise<boolean> {
  if (typeof value !== 'string' || !DATA_URL.test(value)) return false;
  const bytes = bytesOf(value);
  return bytes.length <= PICTURE_MAX_BYTES && (await detectType(Readable.from([bytes]))).isPicture;
}

/** The body limit of forms that may carry a picture. */
export const PICTURE_BODY_LIMIT = '400kb';

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
export async function storeFormPicture(
  { pictures, limits }: PictureDeps,
  given: string | null,
  about: { owner: Types.ObjectId; field: string },
): Promise<string | null> {
  if (given === null) return null;
  await limits.take('staffFilesPerAccount', about.owner.toHexString());
  return storePicture(bytesOf(given), about, pictures);
}

/** The bytes that a data URL carries. */
function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}

/** Removes a picture that was replaced. What a crash or a race leaves behind is removed by `sweepPictures`. */
export async function removePicture(key: string | null | undefined): Promise<void> {
  if (key) await removeFileByKey(key);
}

/** Removes pictures that no account refers to any more, including those of deleted accounts. */
export async function sweepPictures(now: number, signal: AbortSignal): Promise<void> {
  await eachPicture(now, signal, async (files) => {
    const owners = files.flatMap(({ owner }) => owner ?? []);
    const users = await UserModel.find({ _id: { $in: owners } }, { avatar: 1, 'widget.logo': 1 }).lean<UserDoc[]>();
    const referenced = new Set(users.flatMap(({ avatar, widget }) => [avatar, widget?.logo]));
    await removeFiles(files.filter(({ key }) => !referenced.has(key)).map(({ _id }) => _id));
  });
}
