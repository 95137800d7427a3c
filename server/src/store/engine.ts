import { Catalogue } from './catalogue.ts';
import { Cursors } from './commands/cursors.ts';
import type { Storage } from './storage/storage.ts';

/** All that commands work on. */
export interface Engine {
  storage: Storage;
  catalogue: Catalogue;
  cursors: Cursors;
  now: () => Date;
}

export function createEngine(storage: Storage, now: () => Date = () => new Date()): Engine {
  return { storage, catalogue: new Catalogue(storage), cursors: new Cursors(), now };
}
