/** One value of a chart. */
export interface ChartValue {
  /** A day like `2026-05-31`, or what else the chart's `nameOf` names. */
  at: string;
  /** null: there is nothing to show there, which is not zero. */
  value: number | null;
}

const STEPS_WANTED = 4;
/** The steps that people count in, within a power of ten. */
const ROUND_STEPS = [1, 2, 5, 10];

/**
 * The values beside the lines of a grid: from zero in round steps, up to the first one that no value is above.
 * @param isWhole where halves make no sense
 */
export function ticksUpTo(most: number, isWhole: boolean): number[] {
  // At least one, so that an answer within the minute stands low, and not on a scale of seconds.
  const top = Math.max(most, 1);
  const rough = top / STEPS_WANTED;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = (ROUND_STEPS.find((step) => step * power >= rough) ?? 10) * power;
  const step = isWhole ? Math.max(1, round) : round;
  const count = Math.ceil(top / step - Number.EPSILON);
  // Multiplied, since sums of tenths drift.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** A point of a line, in percent of the drawing; y counts from above. */
export interface Point {
  index: number;
  x: number;
  y: number;
}

/** Where each value stands, between `low` at the bottom and `high` at the top, each in the middle of its day. */
export function pointsOf(values: readonly (number | null)[], low: number, high: number): Point[] {
  const span = high - low || 1;
  return values.flatMap((value, index) =>
    value === null
      ? []
      : [{ index, x: ((index + 0.5) / values.length) * 100, y: Math.min(100, 100 - ((value - low) / span) * 100) }],
  );
}

/** The stretches of days that follow each other: a line has a gap where there was nothing. */
export function stretchesOf(points: readonly Point[]): Point[][] {
  const stretches: Point[][] = [];
  for (const point of points) {
    const last = stretches.at(-1);
    if (last && last.at(-1)?.index === point.index - 1) last.push(point);
    else stretches.push([point]);
  }
  return stretches;
}
