import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, Durations } from './median.ts';

const MINUTE_MS = 60_000;

function medianOf(durations: number[]): number | null {
  const held = new Durations();
  for (const ms of durations) held.add(bucketOf(ms), 1);
  return held.median();
}

test('there is no median without values', () => {
  expect(medianOf([])).toBe(null);
});

test('the median is accurate to a tenth', () => {
  const durations = fc.array(fc.integer({ min: MINUTE_MS, max: 10_000 * MINUTE_MS }), { minLength: 1 });
  fc.assert(
    fc.property(durations, (all) => {
      const exact = all.sort((a, b) => a - b)[Math.ceil(all.length / 2) - 1] ?? 0;
      const median = (medianOf(all) ?? 0) * MINUTE_MS;
      expect(Math.abs(median - exact)).toBeLessThanOrEqual(exact * 0.1 + MINUTE_MS * 0.05);
    }),
  );
});

test('one slow answer does not change it', () => {
  expect(medianOf([MINUTE_MS, MINUTE_MS, MINUTE_MS, 1e12])).toBeCloseTo(1, 0);
});
