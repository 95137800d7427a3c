const WIDTH = 100;
const HEIGHT = 28;
/** Room for half of the line's thickness. */
const EDGE = 2;

interface SparklineProps {
  /** Oldest first; null: nothing to show on that day. */
  values: readonly (number | null)[];
  /** What it shows, for screen readers. */
  label: string;
}

/** How a figure has moved, in a line without axes. */
export function Sparkline({ values, label }: SparklineProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full text-accent"
    >
      {linesOf(values).map((points) => (
        <polyline
          key={points}
          points={points}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

/** The points of each stretch without a gap; a lone day becomes a short dash. */
function linesOf(values: readonly (number | null)[]): string[] {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  const x = (index: number) => EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) => HEIGHT - EDGE - ((value - low) / span) * (HEIGHT - 2 * EDGE);
  const lines: string[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) lines.push([]);
    else lines.at(-1)?.push(`${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  }
  return lines.filter((points) => points.length > 0).map((points) => [...points, points.at(-1)].join(' '));
}
