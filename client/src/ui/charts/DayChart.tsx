import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatMonthDay } from '../../lib/format.ts';
import { Bars, Line } from './marks.tsx';
import { type DayValue, pointsOf, ticksUpTo } from './scale.ts';

/** Every so many days are named below a narrow chart, and below a wide one; counted from the last. */
const NAMED_EVERY = 4;
const NAMED_EVERY_WIDE = 2;

export interface DayChartProps {
  kind: 'bars' | 'line';
  title: string;
  days: readonly DayValue[];
  /** A value in words: '3 conversations'. */
  words: (value: number) => string;
  /** Whether halves make no sense. */
  isWhole?: boolean;
}

/**
 * The values of some days over each other's grid. Who points at a day, or goes there with the arrow keys, reads it; screen
 * readers hear the same.
 */
export function DayChart({ kind, title, days, words, isWhole = false }: DayChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const summaryId = useId();
  const last = days.length - 1;
  const values = days.map(({ value }) => value);
  const ticks = ticksUpTo(Math.max(0, ...values.map((value) => value ?? 0)), isWhole);
  const high = ticks.at(-1) ?? 1;
  const points = pointsOf(values, 0, high);
  const told = (index: number) => {
    const { day = '', value = null } = days[index] ?? {};
    return { day: day && formatMonthDay(day), value: value === null ? '–' : words(value) };
  };
  const now = told(chosen ?? last);

  const press = (event: KeyboardEvent) => {
    const from = chosen ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * days.length);
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
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? last) + 1}
        aria-valuetext={`${now.day}: ${now.value}`}
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
              x={`${(chosen / days.length) * 100}%`}
              width={`${100 / days.length}%`}
              height="100%"
              rx="5"
              className="fill-text/5"
            />
          )}
          {kind === 'bars' ? (
            <Bars points={points} count={days.length} chosen={chosen} />
          ) : (
            <Line points={points} chosen={chosen} dots />
          )}
        </svg>
        {chosen !== null && (
          <Words
            {...now}
            at={(chosen + 0.5) / days.length}
            y={points.find(({ index }) => index === chosen)?.y ?? 100}
          />
        )}
      </div>
      <DayNames days={days} />
      <p id={summaryId} hidden>
        {summaryOf(days, words)}
      </p>
    </div>
  );
}

function Ticks({ ticks }: { ticks: readonly number[] }) {
  const high = ticks.at(-1) ?? 1;
  const text = (tick: number) => formatCount(tick);
  return (
    <div aria-hidden className="relative mt-2 text-right text-xs text-muted tabular-nums">
      {/* As wide as the widest. */}
      <span className="invisible">{text(high)}</span>
      {ticks.map((tick) => (
        <span key={tick} className="absolute right-0 translate-y-1/2" style={{ bottom: `${(tick / high) * 100}%` }}>
          {text(tick)}
        </span>
      ))}
    </div>
  );
}

/** The names of some of the days, the last one always among them. */
function DayNames({ days }: Pick<DayChartProps, 'days'>) {
  return (
    <div aria-hidden className="relative col-start-2 h-6 text-xs text-muted">
      {days.map(({ day }, index) => {
        const fromLast = days.length - 1 - index;
        if (fromLast % NAMED_EVERY_WIDE !== 0) return null;
        return (
          <span
            key={day}
            className={cx(
              'absolute bottom-0 -translate-x-1/2 whitespace-nowrap',
              fromLast % NAMED_EVERY !== 0 && 'hidden @xl:block',
            )}
            style={{ left: `${((index + 0.5) / days.length) * 100}%` }}
          >
            {formatMonthDay(day)}
          </span>
        );
      })}
    </div>
  );
}

/** @param at from 0, the left edge, to 1; so far to the left of its place it stands, too, and never leaves the chart */
function Words({ day, value, at, y }: { day: string; value: string; at: number; y: number }) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 rounded-control border bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-float"
      style={{ left: `${at * 100}%`, bottom: `calc(${100 - y}% + 10px)`, transform: `translateX(${-at * 100}%)` }}
    >
      <span className="block text-muted">{day}</span>
      <span className="block font-semibold tabular-nums">{value}</span>
    </div>
  );
}

function summaryOf(days: readonly DayValue[], words: DayChartProps['words']): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return '';
  const most = days.reduce((best, each) => ((each.value ?? -1) > (best.value ?? -1) ? each : best), first);
  const peak = most.value === null ? '' : `, at most ${words(most.value)} on ${formatMonthDay(most.day)}`;
  return `${formatMonthDay(first.day)} to ${formatMonthDay(last.day)}${peak}. Arrow keys go from day to day.`;
}
