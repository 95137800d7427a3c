import { statfsSync } from 'node:fs';

/**
 * What a disk must have left before anything is written. LMDB refuses a commit that finds no room, but its memory may be
 * damaged after some dozens of them, and the process with it.
 */
const ROOM_MIN_BYTES = 8 * 2 ** 20;
/** Less than the minimum is written in that time. */
const LOOK_EVERY_MS = 100;

/** Gives the function that says whether there is room to write on the disk of this folder. */
export function createRoom(folder: string): () => boolean {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let hasRoom = true;
  return () => {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY_MS) return hasRoom;
    lookedAt = now;
    hasRoom = freeBytes(folder) >= ROOM_MIN_BYTES;
    return hasRoom;
  };
}

/** A disk that does not say counts as endless: the write itself will tell. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
