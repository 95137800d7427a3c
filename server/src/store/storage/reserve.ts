import { statfsSync } from 'node:fs';
import type { Doc } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';

/**
 * Free disk space below which nothing is written at all. LMDB refuses a commit that finds no room, but after some dozens of
 * them its memory, and with it the process, may be damaged.
 */
const FLOOR_BYTES = 8 * 2 ** 20;
/** How often the disk is checked. Less than the floor is written in this time. */
const LOOK_EVERY_MS = 100;
const OUT_OF_DISK_SPACE = 14_031;

/** How much room is kept free for the writes that free room again. */
export interface Reserve {
  /** Below this, no new documents are accepted. Changes and removals still are, because they make room again. */
  bytes: number;
  /** Exceptions, which are inserted nevertheless: for each collection, a filter of its new documents. */
  inserts: Record<string, Doc>;
}

/** A small reserve, for stores that are opened by tests and commands. */
export const SMALL_RESERVE: Reserve = { bytes: FLOOR_BYTES, inserts: {} };

/** The room on a disk, and that of the data's file on it, in bytes. */
export interface Space {
  /** The size of the file. */
  file: number;
  /** How much the file can still grow, until the disk or the file's address space is full. */
  growth: number;
  /** The unused part of the file. Deletions leave it, and it is reused before the file grows. Calculated on access. */
  readonly unused: number;
  /** How much of the disk is used, by all programs. */
  taken: number;
}

/** Checks the room before a document is written, so that a refused write has changed nothing. */
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
    // Unused room in the file counts, too; but large documents may not fit there, and make the file grow.
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
  return new CommandError(OUT_OF_DISK_SPACE, 'The disk is full. Nothing of this write is stored.');
}

/** The disk of a folder, in bytes. A disk that does not report its size counts as unlimited; a write to it may then fail. */
export function diskOf(folder: string): { taken: number; free: number } {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return { taken: (blocks - bavail) * bsize, free: bavail * bsize };
  } catch {
    return { taken: 0, free: Number.POSITIVE_INFINITY };
  }
}
