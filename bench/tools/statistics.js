/** The value below which this part of the values lies: 0.99 gives the p99. */
export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

export function median(values) {
  return percentile(values, 0.5);
}

/**
 * Prints a figure with its reference, and their ratio with its goal.
 * @param goal `{ atLeast }` or `{ atMost }`, a ratio; without it there is no goal @param of the name of the reference
 */
export function report(what, figure, reference, unit, goal = {}, of = 'relay') {
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
