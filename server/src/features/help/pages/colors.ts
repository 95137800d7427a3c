import { launcherColors } from '#features/sites/launcher/contract';

type Channels = [red: number, green: number, blue: number];

/** The contrast that WCAG AA asks of text. */
const CONTRAST_TEXT = 4.6;
const PAPER: Channels = [255, 255, 255];
/** The surface of cards in the dark, on which links stand, too. */
const NIGHT: Channels = [30, 33, 40];
const STEP = 0.04;

/** The custom properties of a help centre in a site's colour (`#rrggbb`), for light and dark. */
export function colorRules(color: string): string {
  const number = Number(`0x${color.slice(1)}`);
  const channels: Channels = [number >> 16, (number >> 8) & 255, number & 255];
  const light = readableOn(PAPER, channels, 0);
  const dark = readableOn(NIGHT, channels, 255);
  return `:root{${launcherColors(color)};--link:${light}}@media (prefers-color-scheme:dark){:root{--link:${dark}}}`;
}

/** The colour, mixed with black or white until it has enough contrast on this background. */
function readableOn(ground: Channels, color: Channels, towards: number): string {
  let found = color;
  while (contrast(ground, found) < CONTRAST_TEXT)
    found = found.map((value) => value + (towards - value) * STEP + Math.sign(towards - value)) as Channels;
  return `rgb(${found.map((value) => Math.min(255, Math.max(0, Math.round(value))))})`;
}

function contrast(a: Channels, b: Channels): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(channels: Channels): number {
  const [r = 0, g = 0, b = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
