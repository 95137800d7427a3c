import { Bar, BarChart, CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import type { DayFigures } from 'server/contract';
import { dayWord } from './days.ts';

const TICK = { fill: 'var(--color-muted)', fontSize: 12 };
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const FULL = { width: '100%', height: '100%' };
const Y_WIDTH_PX = 32;
const BAR_MAX_PX = 28;
/** Days between two names below the chart. */
const DAYS_APART_PX = 28;

const axes = (
  <>
    <CartesianGrid vertical={false} stroke="var(--color-line)" />
    <XAxis
      dataKey="day"
      tickFormatter={dayWord}
      tick={TICK}
      tickLine={false}
      axisLine={false}
      minTickGap={DAYS_APART_PX}
    />
    <YAxis tick={TICK} tickLine={false} axisLine={false} width={Y_WIDTH_PX} allowDecimals={false} />
  </>
);

const tooltip = (
  <Tooltip
    labelFormatter={(day) => dayWord(String(day))}
    cursor={{ fill: 'var(--color-text)', fillOpacity: 0.05, stroke: 'var(--color-line)' }}
    contentStyle={{
      background: 'var(--color-raised)',
      border: '1px solid var(--color-line)',
      borderRadius: 'var(--radius-control)',
      boxShadow: 'var(--shadow-float)',
    }}
    itemStyle={{ color: 'var(--color-text)' }}
    labelStyle={{ color: 'var(--color-muted)' }}
    isAnimationActive={false}
  />
);

/** The two drawings of the overview; the table beside them says the same. Fetched only where they are shown. */
export default function Charts({ kind, days }: { kind: 'chats' | 'responses'; days: readonly DayFigures[] }) {
  const data = [...days];
  if (kind === 'chats') {
    return (
      <BarChart responsive style={FULL} data={data} margin={MARGIN} accessibilityLayer={false}>
        {axes}
        {tooltip}
        <Bar
          dataKey="chats"
          name="Conversations"
          fill="var(--color-accent)"
          radius={[3, 3, 0, 0]}
          maxBarSize={BAR_MAX_PX}
          isAnimationActive={false}
        />
      </BarChart>
    );
  }
  return (
    <LineChart responsive style={FULL} data={data} margin={MARGIN} accessibilityLayer={false}>
      {axes}
      {tooltip}
      <Line
        dataKey="responseMinutes"
        name="Minutes"
        stroke="var(--color-accent)"
        strokeWidth={2}
        dot={{ r: 3, fill: 'var(--color-accent)', strokeWidth: 0 }}
        isAnimationActive={false}
      />
    </LineChart>
  );
}
