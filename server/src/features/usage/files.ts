import type { Types } from 'mongoose';
import { events } from '#platform/events';
import { doubtFiles, removeFiles } from '#platform/files';

/** Counts files that a site has stored, or no longer has. */
export function countFiles(site: Types.ObjectId, bytes: number): Promise<void> {
  return events.emit('storageGrew', { siteId: site.toHexString(), text: 0, files: bytes });
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
