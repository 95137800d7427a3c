import type { Types } from 'mongoose';
import { events } from '#platform/events';
import {
  confirmFile,
  doubtFiles,
  type Pictures,
  type ReceivedFile,
  removeFiles,
  type StoredFile,
  storeFile,
} from '#platform/files';
import { siteFull, type Usage } from './counter.ts';

/** Counts files that a site has stored, or no longer has. */
function countFiles(site: Types.ObjectId, bytes: number): Promise<void> {
  return events.emit('storageGrew', { siteId: site.toHexString(), text: 0, files: bytes });
}

/** A file that a member adds to something of a site. */
interface AddedFile {
  site: Types.ObjectId;
  by: Types.ObjectId;
  received: ReceivedFile;
  name: string;
}

/**
 * Stores a file, and counts it as storage of its site.
 * @param commit writes it to what has it; null: that is full or gone, and the file is removed
 * @throws AppError 413 `SITE_FULL`, 422 for a picture that cannot be read
 */
export async function addingFile<Result>(
  { site, by, received, name }: AddedFile,
  { pictures, usage }: { pictures: Pictures; usage: Usage },
  commit: (stored: StoredFile) => Promise<Result | null>,
): Promise<Result | null> {
  if (!usage.fits(site.toHexString(), { files: received.size })) throw siteFull(false);
  const sender = { pool: 'staff', key: `u:${by}` } as const;
  const stored = await storeFile(received, { site, sender, name }, pictures);
  const result = await commit(stored);
  if (result === null) {
    await removeFiles([stored._id]);
    return null;
  }
  await confirmFile(stored._id);
  await countFiles(site, stored.file.size);
  return result;
}

/**
 * Makes a change after which nothing has these files, and removes them. After a crash in between, the hourly job for files
 * without a message decides.
 */
export async function droppingFiles<Result>(
  site: Types.ObjectId,
  files: { _id: Types.ObjectId; size: number }[],
  change: () => Promise<Result>,
): Promise<Result> {
  const ids = files.map(({ _id }) => _id);
  if (ids.length > 0) await doubtFiles(ids);
  const result = await change();
  if (ids.length > 0) {
    await removeFiles(ids);
    await countFiles(
      site,
      files.reduce((sum, { size }) => sum - size, 0),
    );
  }
  return result;
}
