import { Catalogue } from './catalogue.ts';
import { Cursors } from './commands/cursors.ts';
import type { Storage } from './storage/storage.ts';

/** Everything that commands work on. */
export interface Engine {
  storage: Storage;
  catalogue: Catalogue;
  cursors: Cursors;
  /** The ids of the indexes that are being built. */
  builds: Set<number>;
  now: () => Date;
  /** How much work one batch may do before unfinished commands give way. 0: after every step, and steps are small. */
  sliceWork: number;
}

/** About four milliseconds of an idle processor. */
const SLICE_WORK = 4_000;

export function createEngine(
  storage: Storage,
  { now = () => new Date(), sliceWork = SLICE_WORK }: Partial<Pick<Engine, 'now' | 'sliceWork'>> = {},
): Engine {
  return { storage, catalogue: new Catalogue(storage), cursors: new Cursors(), builds: new Set(), now, sliceWork };
}
