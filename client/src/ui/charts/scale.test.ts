import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsOf, stretchesOf, ticksUpTo } from './scale.ts';

describe('the axis values of a chart', () => {
  it('are round, from zero to at least the maximum', () => {
    expect(ticksUpTo(18, true)).toEqual([0, 5, 10, 15, 20]);
    expect(ticksUpTo(3, true)).toEqual([0, 1, 2, 3]);
    expect(ticksUpTo(1.3, false)).toEqual([0, 0.5, 1, 1.5]);
    expect(ticksUpTo(1_234, true)).toEqual([0, 500, 1_000, 1_500]);
  });

  it('are whole numbers for counts, at least up to one', () => {
    expect(ticksUpTo(1, true)).toEqual([0, 1]);
    expect(ticksUpTo(0, true)).toEqual([0, 1]);
    expect(ticksUpTo(0, false)).toEqual([0, 0.5, 1]);
    expect(ticksUpTo(0.3, false)).toEqual([0, 0.5, 1]);
  });

  it('are only a few, whatever the data', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.boolean(), (most, isWhole) => {
        const ticks = ticksUpTo(most, isWhole);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(7);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * 0.999_999);
        if (isWhole) expect(ticks.every(Number.isInteger)).toBe(true);
      }),
    );
  });
});

describe('the points of a chart', () => {
  it('are in the middle of their days, not on the edge', () => {
    expect(pointsOf([0, null, 4, 2], 0, 4)).toEqual([
      { index: 0, x: 12.5, y: 100 },
      { index: 2, x: 62.5, y: 0 },
      { index: 3, x: 87.5, y: 50 },
    ]);
  });

  it('are on the baseline when all values are the same', () => {
    expect(pointsOf([7, 7], 7, 7).map(({ y }) => y)).toEqual([100, 100]);
  });

  it('are connected only for consecutive days', () => {
    const stretches = stretchesOf(pointsOf([1, 2, null, 3, null, 4, 5], 0, 5));
    expect(stretches.map((stretch) => stretch.map(({ index }) => index))).toEqual([[0, 1], [3], [5, 6]]);
  });
});
