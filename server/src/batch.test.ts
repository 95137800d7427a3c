import { expect, test, vi } from 'vitest';
import { batched } from './batch.ts';

test('what is asked for in one turn is done at once, and each hears what became of its own', async () => {
  const batches: number[][] = [];
  const double = batched(async (items: number[]) => {
    batches.push(items);
    return (item) => 2 * item;
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('while two batches are under way, the rest waits for a third', async () => {
  const batches: number[][] = [];
  let finish = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const keep = batched(async (items: number[]) => {
    batches.push(items);
    await slow;
    return (item) => item;
  });
  const asked: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4]) {
    asked.push(keep(item));
    await new Promise(setImmediate);
  }
  expect(batches).toEqual([[1], [2]]);
  finish();
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4]);
  expect(batches).toEqual([[1], [2], [3, 4]]);
});

test('a failure reaches all of its batch, and the next batch goes on', async () => {
  let fails = true;
  const once = batched(async (items: string[]) => {
    if (fails) throw new Error(items.join());
    return (item) => item;
  });
  const [a, b] = await Promise.allSettled([once('a'), once('b')]);
  expect([a, b]).toMatchObject([{ reason: { message: 'a,b' } }, { reason: { message: 'a,b' } }]);
  fails = false;
  expect(await once('c')).toBe('c');
});

test('with a pace, what comes soon after a batch waits and shares the next one', async () => {
  vi.useFakeTimers();
  const batches: number[][] = [];
  const keep = batched(async (items: number[]) => {
    batches.push(items);
    return (item) => item;
  }, 10);
  const first = keep(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await first).toBe(1);
  const others = [keep(2), keep(3)];
  await vi.advanceTimersByTimeAsync(8);
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(2);
  expect(await Promise.all(others)).toEqual([2, 3]);
  expect(batches).toEqual([[1], [2, 3]]);
  vi.useRealTimers();
});
