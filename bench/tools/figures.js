/** The value that so large a part of the values lie below. */
export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

export function median(values) {
  return percentile(values, 0.5);
}

/**
 * Prints a figure beside its reference, and the ratio beside its goal.
 * @param goal `{ atLeast }` or `{ atMost }`, a ratio; left out, there is none @param of what the reference is called
 */
export function report(what, figure, reference, unit, goal = {}, of = 'bare') {
  const ratio = figure / reference;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const isFit = ratio >= atLeast && ratio <= atMost;
  const wanted = 'atLeast' in goal ? ` (goal ≥ ${atLeast})` : 'atMost' in goal ? ` (goal ≤ ${atMost})` : '';
  const mark = wanted === '' ? ' ' : isFit ? '✓' : '✗';
  console.log(
    `${mark} ${what}: ${shown(figure)} ${unit}, ${of} ${shown(reference)} ${unit}: ${ratio.toFixed(2)} ×${wanted}`,
  );
}

function shown(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
