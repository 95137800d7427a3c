import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** A complete backup: `parley-2026-03-01T04-05-06Z`, by the time at which it began. */
const NAME = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;
/** One that was not finished and checked, with what the copying itself adds to the name. */
const UNFINISHED = /^parley-[\dTZ-]+\.unchecked(\.part)?$/;

/** A complete backup in its folder. */
export interface StoredBackup {
  name: string;
  /** When it began, in milliseconds. */
  at: number;
}

/** The name of a backup that begins now. @param at milliseconds */
export function backupName(at: number): string {
  const [seconds = ''] = new Date(at).toISOString().split('.');
  return `parley-${seconds.replaceAll(':', '-')}Z`;
}

/** The path at which a backup is written until it is checked. */
export const uncheckedPath = (folder: string, name: string) => path.join(folder, `${name}.unchecked`);

/** The complete backups of a folder, oldest first; none if there is no such folder yet. Other files are ignored. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const [found, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
      return found ? [{ name, at: Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

/** Makes the folder ready for a backup, and removes what interrupted ones left. */
export async function tidyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const left = (await readdir(folder)).filter((name) => UNFINISHED.test(name));
  for (const name of left) await rm(path.join(folder, name), { recursive: true, force: true });
}

/** Gives a checked backup its final name, so that a folder with that name is always complete. */
export async function completeBackup(folder: string, name: string): Promise<void> {
  await rename(uncheckedPath(folder, name), path.join(folder, name));
  // Windows neither needs nor allows it for folders.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Removes the oldest backups until only `keep` are left. */
export async function rotateBackups(folder: string, keep: number): Promise<void> {
  const backups = await listBackups(folder);
  for (const { name } of backups.slice(0, Math.max(0, backups.length - keep)))
    await rm(path.join(folder, name), { recursive: true, force: true });
}

/** The size of a backup's files in bytes. */
export async function backupBytes(folder: string, name: string): Promise<number> {
  const entries = await readdir(path.join(folder, name), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
