/** WCAG asks for 4.5 for text; the rest covers what the plain power below is off. */
const CONTRAST_TEXT = 4.7;
/** What has less contrast with white counts as light. */
const CONTRAST_LIGHT = 3;
const DARKEN_STEP = 0.02;
const WHITE = '#fff';
const DARK = '#1d1b18';

/** A surface in a site's colour, and the colour of text that is readable on it. */
export interface Paint {
  fill: string;
  ink: string;
}

type Channels = [red: number, green: number, blue: number];

function contrastWithWhite(channels: Channels): number {
  const [r, g, b] = channels.map((value) => (value / 255) ** 2.2) as Channels;
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

/**
 * How to paint with a site's colour (`#rrggbb`). Light colours get dark text. On middle ones people expect white text, so
 * these are darkened by as little as makes white readable.
 */
export function paintOf(color: string): Paint {
  const number = Number(`0x${color.slice(1)}`);
  const exact: Channels = [number >> 16, (number >> 8) & 255, number & 255];
  if (contrastWithWhite(exact) < CONTRAST_LIGHT) return { fill: color, ink: DARK };
  let fill = exact;
  for (let share = 1; contrastWithWhite(fill) < CONTRAST_TEXT; share -= DARKEN_STEP) {
    fill = exact.map((value) => Math.round(value * share)) as Channels;
  }
  return { fill: `rgb(${fill})`, ink: WHITE };
}
