import { cx } from '../lib/cx.ts';

/** The bar is yellow from here on. */
const ATTENTION_PERCENT = 80;
/** The bar is red from here on. */
export const ALARM_PERCENT = 95;
/** The smallest width of a bar above zero. */
const SEEN_PERCENT = 1;

interface MeterProps {
  label: string;
  percent: number;
  /** What stands beside it, for those who do not see the bar. */
  text: string;
}

/** How much of something is used, as a bar. */
export function Meter({ label, percent, text }: MeterProps) {
  const colour = percent >= ALARM_PERCENT ? 'bg-danger' : percent >= ATTENTION_PERCENT ? 'bg-waiting' : 'bg-accent';
  const width = percent > 0 ? Math.max(SEEN_PERCENT, Math.min(100, percent)) : 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> in ways that no style sheet reaches
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(percent))}
      aria-valuetext={text}
      className="h-1.5 overflow-hidden rounded-full bg-text/10"
    >
      <div className={cx('h-full rounded-full', colour)} style={{ width: `${width}%` }} />
    </div>
  );
}
