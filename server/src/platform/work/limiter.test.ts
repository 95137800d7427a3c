import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

const patience = { waitMaxMs: 60_000, waitingMax: 3, refused: () => new Error('refused') };
/** Whether it is settled once all that can go on has gone on. */
const isOpen = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise<false>((done) => setImmediate(() => done(false)))]);

test('a holder gets one place at a time, also while others are free', async () => {
  const limiter = createLimiter(2, patience);
  const leave = await limiter.take('a');
  const again = limiter.take('a');
  expect(await isOpen(again)).toBe(false);
  expect(await isOpen(limiter.take('b'))).toBe(true);
  leave();
  expect(await isOpen(again)).toBe(true);
});

test('holders are served in turn, however many requests one of them has', async () => {
  const limiter = createLimiter(1, patience);
  const order: string[] = [];
  const pass = async (holder: string, name: string) => {
    const leave = await limiter.take(holder);
    order.push(name);
    leave();
  };
  const first = await limiter.take('a');
  const all = [pass('a', 'a1'), pass('a', 'a2'), pass('a', 'a3'), pass('b', 'b1'), pass('c', 'c1')];
  first();
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('too many requests of one holder, an aborted one and a timeout are refused', async () => {
  const limiter = createLimiter(1, patience);
  const leave = await limiter.take('a');
  const gone = new AbortController();
  const waits = [limiter.take('a'), limiter.take('a'), limiter.take('a', gone.signal)];
  await expect(limiter.take('a')).rejects.toThrow('refused');
  await expect(limiter.take('b', AbortSignal.abort())).rejects.toThrow('refused');
  gone.abort();
  await expect(waits[2]).rejects.toThrow('refused');
  leave();
  (await waits[0])?.();
  expect(await isOpen(waits[1] as Promise<unknown>)).toBe(true);

  const hasty = createLimiter(1, { ...patience, waitMaxMs: 1 });
  await hasty.take('a');
  await expect(hasty.take('b')).rejects.toThrow('refused');
});
