import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Bars, Line } from './marks.tsx';
import { type ChartValue, pointsOf, ticksUpTo } from './scale.ts';

/** At most so many names fit below a wide chart, and half as many below a narrow one. */
const NAMES_MAX = 7;

export interface ChartProps {
  kind: 'bars' | 'line';
  title: string;
  values: readonly ChartValue[];
  /** A value in words: '3 conversations'. */
  words: (value: number) => string;
  /** Whether halves make no sense. */
  isWhole?: boolean;
  /** The lines of the grid, where they do not follow from the values. */
  ticks?: readonly number[];
  /** What a value stands at, in words. */
  nameOf: (at: string) => string;
}

/**
 * The values of some days, or hours, over each other's grid. Who points at one, or goes there with the arrow keys, reads
 * it; screen readers hear the same.
 */
export function Chart({ kind, title, values, words, isWhole = false, nameOf, ...props }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const summaryId = useId();
  const last = values.length - 1;
  const numbers = values.map(({ value }) => value);
  const ticks = props.ticks ?? ticksUpTo(Math.max(0, ...numbers.map((value) => value ?? 0)), isWhole);
  const high = ticks.at(-1) ?? 1;
  const points = pointsOf(numbers, 0, high);
  const { at = '', value = null } = values[chosen ?? last] ?? {};
  const now = { name: at && nameOf(at), value: value === null ? '–' : words(value) };

  const press = (event: KeyboardEvent) => {
    const from = chosen ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * values.length);
    setChosen(Math.max(0, Math.min(last, index)));
  };

  return (
    // Time runs from left to right in every language.
    <div dir="ltr" className="@container grid h-full grid-cols-[auto_1fr] grid-rows-[1fr_auto] gap-x-2">
      <Ticks ticks={ticks} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-describedby={summaryId}
        aria-readonly
        aria-valuemin={1}
        aria-valuemax={values.length}
        aria-valuenow={(chosen ?? last) + 1}
        aria-valuetext={`${now.name}: ${now.value}`}
        data-chart={kind}
        className="relative mt-2 touch-pan-y rounded-small"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(null)}
        onKeyDown={press}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && setChosen(last)}
        onBlur={() => setChosen(null)}
      >
        <svg aria-hidden width="100%" height="100%" overflow="visible" className="absolute inset-0 text-accent">
          {ticks.map((tick) => {
            const y = `${100 - (tick / high) * 100}%`;
            return <line key={tick} x1="0" x2="100%" y1={y} y2={y} stroke="var(--color-line)" />;
          })}
          {chosen !== null && (
            <rect
              x={`${(chosen / values.length) * 100}%`}
              width={`${100 / values.length}%`}
              height="100%"
              rx="5"
              className="fill-text/5"
            />
          )}
          {kind === 'bars' ? (
            <Bars points={points} count={values.length} chosen={chosen} />
          ) : (
            <Line points={points} chosen={chosen} dots />
          )}
        </svg>
        {chosen !== null && (
          <Words
            {...now}
            at={(chosen + 0.5) / values.length}
            y={points.find(({ index }) => index === chosen)?.y ?? 100}
          />
        )}
      </div>
      <Names values={values} nameOf={nameOf} />
      <p id={summaryId} hidden>
        {summaryOf({ values, words, nameOf })}
      </p>
    </div>
  );
}

function Ticks({ ticks }: { ticks: readonly number[] }) {
  const high = ticks.at(-1) ?? 1;
  return (
    <div aria-hidden className="relative mt-2 text-right text-xs text-muted tabular-nums">
      {/* As wide as the widest. */}
      <span className="invisible">{formatCount(high)}</span>
      {ticks.map((tick) => (
        <span key={tick} className="absolute right-0 translate-y-1/2" style={{ bottom: `${(tick / high) * 100}%` }}>
          {formatCount(tick)}
        </span>
      ))}
    </div>
  );
}

/** The names of some of the values, the last one always among them. */
function Names({ values, nameOf }: Pick<ChartProps, 'values' | 'nameOf'>) {
  const every = Math.ceil(values.length / NAMES_MAX);
  return (
    <div aria-hidden className="relative col-start-2 h-6 text-xs text-muted">
      {values.map(({ at }, index) => {
        const fromLast = values.length - 1 - index;
        if (fromLast % every !== 0) return null;
        return (
          <span
            key={at}
            dir="auto"
            className={cx(
              'absolute bottom-0 text-center whitespace-nowrap',
              fromLast > 0 && '-translate-x-1/2',
              fromLast % (2 * every) !== 0 && 'hidden @xl:block',
            )}
            style={
              // The last one may be wider than its place, and does not leave the chart.
              fromLast === 0
                ? { right: 0, minWidth: `${100 / values.length}%` }
                : { left: `${((index + 0.5) / values.length) * 100}%` }
            }
          >
            {nameOf(at)}
          </span>
        );
      })}
    </div>
  );
}

/** @param at from 0, the left edge, to 1; so far to the left of its place it stands, too, and never leaves the chart */
function Words({ name, value, at, y }: { name: string; value: string; at: number; y: number }) {
  return (
    <div
      aria-hidden
      dir="auto"
      className="pointer-events-none absolute z-10 rounded-control border bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-float"
      style={{ left: `${at * 100}%`, bottom: `calc(${100 - y}% + 10px)`, transform: `translateX(${-at * 100}%)` }}
    >
      <span className="block text-muted">{name}</span>
      <span className="block font-semibold tabular-nums">{value}</span>
    </div>
  );
}

function summaryOf({ values, words, nameOf }: Pick<ChartProps, 'values' | 'words' | 'nameOf'>): string {
  const [first, last] = [values[0], values.at(-1)];
  if (!first || !last) return '';
  const most = values.reduce((best, each) => ((each.value ?? -1) > (best.value ?? -1) ? each : best), first);
  const ends = { first: nameOf(first.at), last: nameOf(last.at) };
  return most.value === null
    ? t('{first} to {last}. Arrow keys go from one to the next.', ends)
    : t('{first} to {last}, at most {most} ({when}). Arrow keys go from one to the next.', {
        ...ends,
        most: words(most.value),
        when: nameOf(most.at),
      });
}
