import { type Point, stretchesOf } from './scale.ts';

/** Of the room that a day has. */
const BAR_SHARE = 0.6;
/** The feet of the bars stand below the ground, so that only their heads are round. */
const BAR_FOOT_PX = 4;
const BAR_RADIUS_PX = 3;
const LINE_PX = 2;
const DOT_PX = 3;
const DOT_CHOSEN_PX = 4.5;

interface MarksProps {
  points: readonly Point[];
  /** The day that is pointed at. */
  chosen?: number | null;
}

/** Values as bars. All is in percent: nothing is stretched, and nothing has to be measured before it can be drawn. */
export function Bars({ points, count, chosen = null }: MarksProps & { count: number }) {
  const width = (BAR_SHARE / count) * 100;
  return (
    <svg aria-hidden width="100%" height="100%">
      {points
        .filter(({ y }) => y < 100)
        .map(({ index, x, y }) => (
          <rect
            key={index}
            x={`${x - width / 2}%`}
            y={`${y}%`}
            width={`${width}%`}
            height={`${100 - y}%`}
            rx={BAR_RADIUS_PX}
            style={{ height: `calc(${100 - y}% + ${BAR_FOOT_PX}px)` }}
            fill="currentColor"
            opacity={chosen === null || chosen === index ? 1 : 0.45}
          />
        ))}
    </svg>
  );
}

/** Values as a line over a tint, with a stem for a day whose neighbours have none. @param dots a dot for each day */
export function Line({ points, chosen = null, dots = false }: MarksProps & { dots?: boolean }) {
  const stretches = stretchesOf(points);
  const alone = stretches.flatMap((stretch) => (stretch.length === 1 ? stretch : []));
  const dotted = points.filter((point) => dots || point === points.at(-1) || alone.includes(point));
  return (
    <>
      <svg aria-hidden width="100%" height="100%" viewBox="0 0 100 100" preserveAspectRatio="none" overflow="visible">
        {stretches
          .filter((stretch) => stretch.length > 1)
          .map((stretch) => (
            <g key={stretch[0]?.index}>
              <polygon
                points={`${stretch[0]?.x},100 ${coordinates(stretch)} ${stretch.at(-1)?.x},100`}
                fill="currentColor"
                opacity={0.1}
              />
              <polyline
                points={coordinates(stretch)}
                fill="none"
                stroke="currentColor"
                strokeWidth={LINE_PX}
                strokeLinecap="round"
                strokeLinejoin="round"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
      </svg>
      {alone.map(({ index, x, y }) => (
        <line key={index} x1={`${x}%`} x2={`${x}%`} y1={`${y}%`} y2="100%" stroke="currentColor" opacity={0.4} />
      ))}
      {dotted.map(({ index, x, y }) => (
        <circle
          key={index}
          cx={`${x}%`}
          cy={`${y}%`}
          r={chosen === index ? DOT_CHOSEN_PX : DOT_PX}
          fill="currentColor"
          stroke="var(--color-surface)"
          strokeWidth={1.5}
        />
      ))}
    </>
  );
}

function coordinates(points: readonly Point[]): string {
  return points.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ');
}
