/** WCAG AA for text, and for shapes and large text. */
const CONTRAST_TEXT = 4.5;
const CONTRAST_SHAPE = 3;
const DARKEN_STEP = 0.02;

/**
 * How the widget paints with a colour (`#rrggbb`): dark letters on light colours; on others white ones, the colour
 * darkened by as little as makes them readable.
 */
export function paintOf(hex: string): { backgroundColor: string; color: string } {
  const exact = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  if (contrastWithWhite(exact) < CONTRAST_SHAPE) return { backgroundColor: hex, color: '#1d1b18' };
  let fill = exact;
  for (let share = 1; contrastWithWhite(fill) < CONTRAST_TEXT; share -= DARKEN_STEP) {
    fill = exact.map((value) => Math.round(value * share));
  }
  return { backgroundColor: `rgb(${fill})`, color: '#ffffff' };
}

function contrastWithWhite(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
