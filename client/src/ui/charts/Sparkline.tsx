import { Bars, Line } from './marks.tsx';
import { pointsOf } from './scale.ts';

interface SparklineProps {
  kind: 'bars' | 'line';
  /** Oldest first; null: nothing to show on that day. */
  values: readonly (number | null)[];
  /** What it shows, for screen readers. */
  label: string;
}

/** How a figure has moved, over a ground and without axes. */
export function Sparkline({ kind, values, label }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const points = pointsOf(values, kind === 'bars' || least === most ? 0 : least, most);
  return (
    <div role="img" aria-label={label} dir="ltr" className="h-8 border-b pt-1 text-accent">
      <svg aria-hidden width="100%" height="100%" overflow="visible" className="block">
        {kind === 'bars' ? <Bars points={points} count={values.length} /> : <Line points={points} />}
      </svg>
    </div>
  );
}
