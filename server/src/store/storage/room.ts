import { statfsSync } from 'node:fs';
import type { Doc } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';

/**
 * What a disk must have left before anything at all is written. LMDB refuses a commit that finds no room, but its memory may
 * be damaged after some dozens of them, and the process with it.
 */
const FLOOR_BYTES = 8 * 2 ** 20;
/** Less than the floor is written in that time. */
const LOOK_EVERY_MS = 100;
const OUT_OF_DISK_SPACE = 14_031;

/** How much is kept free for what undoes a full disk. */
export interface Reserve {
  /** Below this no new documents are taken; documents are still changed and removed, which makes room again. */
  bytes: number;
  /** New documents that are taken all the same: by collection, what matches this filter. */
  inserts: Record<string, Doc>;
}

/** A reserve for stores that only tests and commands open. */
export const SMALL_RESERVE: Reserve = { bytes: FLOOR_BYTES, inserts: {} };

/** The room of a disk, and of the file of the data on it, in bytes. */
export interface Space {
  /** How large the file is. */
  file: number;
  /** How much the file may still grow: until the disk is full, or the file's address space is. */
  growth: number;
  /** What is unused inside the file: deletions leave it, and it is used again before the file grows. Counted when it is asked for. */
  readonly unused: number;
  /** How much of the disk is taken, by whomever. */
  taken: number;
}

/** Asked before a document is written, so that what is refused has changed nothing. */
export interface Room {
  /** @throws CommandError OutOfDiskSpace */
  forInsert(collection: string, doc: Doc): void;
  /** For changing or removing a document. @throws CommandError OutOfDiskSpace */
  forChange(): void;
  /** Whether a transaction that has written may be committed. */
  mayCommit(): boolean;
}

/** @param look is asked ten times a second at most */
export function createRoom(look: () => Space, { bytes, inserts }: Reserve): Room {
  const exempt = new Map<string, Filter>(Object.entries(inserts).map(([name, filter]) => [name, parseFilter(filter)]));
  let lookedAt = Number.NEGATIVE_INFINITY;
  let level: 'enough' | 'reserve' | 'none' = 'enough';

  function levelNow() {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY_MS) return level;
    lookedAt = now;
    const space = look();
    const { growth } = space;
    // What is unused inside the file is room, too; but large documents may not fit there, and make the file grow.
    const isEnough = growth >= bytes || (growth >= bytes / 2 && growth + space.unused >= bytes);
    level = growth < FLOOR_BYTES ? 'none' : isEnough ? 'enough' : 'reserve';
    return level;
  }

  return {
    forInsert(collection, doc) {
      const now = levelNow();
      if (now === 'enough') return;
      const filter = exempt.get(collection);
      if (now === 'none' || !filter || !matches(filter, doc)) throw noRoom();
    },
    forChange() {
      if (levelNow() === 'none') throw noRoom();
    },
    mayCommit: () => levelNow() !== 'none',
  };
}

function noRoom(): CommandError {
  return new CommandError(OUT_OF_DISK_SPACE, 'There is no room left on the disk. Nothing of this write is stored.');
}

/** The disk of a folder, in bytes. One that does not say counts as endless: the write itself will tell. */
export function diskOf(folder: string): { taken: number; free: number } {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return { taken: (blocks - bavail) * bsize, free: bavail * bsize };
  } catch {
    return { taken: 0, free: Number.POSITIVE_INFINITY };
  }
}
