import { expect, test, vi } from 'vitest';
import { batched } from './batcher.ts';

test('items of the same tick are processed in one batch, and each caller gets its own result', async () => {
  const batches: number[][] = [];
  const double = batched(async (items: number[]) => {
    batches.push(items);
    return (item) => 2 * item;
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('while four batches are running, further items wait for a fifth', async () => {
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
  for (const item of [1, 2, 3, 4, 5, 6]) {
    asked.push(keep(item));
    await new Promise(setImmediate);
  }
  expect(batches).toEqual([[1], [2], [3], [4]]);
  finish();
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(batches).toEqual([[1], [2], [3], [4], [5, 6]]);
});

test('a failure rejects all items of its batch, and the next batch runs', async () => {
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

test('with an interval, the first batches run at once and later items wait and share a batch', async () => {
  vi.useFakeTimers();
  const batches: number[][] = [];
  const keep = batched(async (items: number[]) => {
    batches.push(items);
    return (item) => item;
  }, 10);
  let asked = 0;
  const turn = async (ms: number) => {
    void keep(asked++);
    await vi.advanceTimersByTimeAsync(ms);
  };
  for (let i = 0; i < 20; i++) await turn(0);
  expect(batches).toHaveLength(20);
  for (let i = 0; i < 5; i++) await turn(1);
  expect(batches).toHaveLength(20);
  await vi.advanceTimersByTimeAsync(10);
  expect(batches.slice(20)).toEqual([[20, 21, 22, 23, 24]]);
  await vi.advanceTimersByTimeAsync(1_000);
  await turn(0);
  expect(batches).toHaveLength(22);
  vi.useRealTimers();
});
