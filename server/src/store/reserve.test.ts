import { expect, test } from 'vitest';
import { CommandError } from './errors.ts';
import { createRoom, type Space } from './storage/reserve.ts';
import { openStore } from './testing.ts';

const MB = 2 ** 20;
const RESERVE = { bytes: 64 * MB, inserts: { sessions: {}, messages: { event: 'closed' } } };

/** What may be written on a disk with so much room. */
function allowed(space: Partial<Space>) {
  const room = createRoom(() => ({ file: 0, taken: 0, unused: 0, growth: 0, ...space }), RESERVE);
  const passes = (ask: () => void) => {
    try {
      ask();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(CommandError);
      return false;
    }
  };
  return {
    message: passes(() => room.forInsert('messages', { event: null })),
    close: passes(() => room.forInsert('messages', { event: 'closed' })),
    session: passes(() => room.forInsert('sessions', {})),
    change: passes(() => room.forChange()),
    commit: room.mayCommit(),
  };
}

const ALL = { message: true, close: true, session: true, change: true, commit: true };

test('with enough free space everything is written', () => {
  expect(allowed({ growth: 64 * MB })).toEqual(ALL);
});

test('in the reserve new documents are refused, except in collections allowed to use it', () => {
  expect(allowed({ growth: 64 * MB - 1 })).toEqual({ ...ALL, message: false });
  expect(allowed({ growth: 8 * MB })).toEqual({ ...ALL, message: false });
});

test('below the minimum nothing is written', () => {
  const none = { message: false, close: false, session: false, change: false, commit: false };
  expect(allowed({ growth: 8 * MB - 1, unused: 1000 * MB })).toEqual(none);
});

test('space freed by deletions is used again while the disk has half of the reserve', () => {
  expect(allowed({ growth: 32 * MB, unused: 32 * MB })).toEqual(ALL);
  expect(allowed({ growth: 32 * MB, unused: 31 * MB })).toEqual({ ...ALL, message: false });
  expect(allowed({ growth: 31 * MB, unused: 64 * MB })).toEqual({ ...ALL, message: false });
});

test('dbStats reports the size of the data and the free disk space', async () => {
  const { db, close } = await openStore();
  const items = db.collection<{ _id: number; text: string }>('items');
  await items.insertMany(Array.from({ length: 200 }, (_, _id) => ({ _id, text: 'x'.repeat(10_000) })));
  const full = await db.command({ dbStats: 1 });
  expect(full.storageSize).toBeGreaterThan(2_000_000);
  expect(full.fsUsedSize).toBeLessThan(full.fsTotalSize);
  await items.deleteMany({});
  const empty = await db.command({ dbStats: 1 });
  expect(empty.freeStorageSize - full.freeStorageSize).toBeGreaterThan(2_000_000);
  await close();
});
