import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../setup.js';

/** A dependency of the server, which scales pictures with it. */
const sharp = createRequire(join(ROOT, 'server/package.json'))('sharp');

const PAPER = '#f7f6f3';
const ACCENT = '#2f5bea';
const WHITE = '#ffffff';
/** The side of the square that the mark is drawn in. */
const MARK_SIDE = 32;

/** The icons for home screens, notifications and shared links: size in pixels, the mark's share of the height, colours. */
const ICONS = [
  { name: 'icon-192', width: 192, share: 0.66, corner: 0.22, mark: WHITE, back: ACCENT },
  { name: 'icon-512', width: 512, share: 0.66, corner: 0.22, mark: WHITE, back: ACCENT },
  // Phones cut this icon into a shape: the safe zone is the inner four fifths.
  { name: 'icon-maskable', width: 512, share: 0.5, corner: 0, mark: WHITE, back: ACCENT },
  { name: 'apple-touch-icon', width: 180, share: 0.58, corner: 0, mark: WHITE, back: ACCENT },
  // Android's status bar shows only the shape of this icon.
  { name: 'badge', width: 96, share: 0.9, corner: 0, mark: WHITE, back: 'none' },
  { name: 'social', width: 1200, height: 630, share: 0.5, corner: 0, mark: ACCENT, back: PAPER },
];

/** Draws `icons/NAME.png` into the built client, all from the mark of its favicon. */
export async function writeIcons(dist) {
  const paths = (await readFile(join(dist, 'favicon.svg'), 'utf8')).match(/<path[^>]*\/>/g);
  const folder = join(dist, 'icons');
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ICONS.map((icon) =>
      sharp(Buffer.from(drawn(icon, paths)))
        .png()
        .toFile(join(folder, `${icon.name}.png`)),
    ),
  );
}

function drawn({ width, height = width, share, corner, mark, back }, paths) {
  const scale = (height * share) / MARK_SIDE;
  const [left, top] = [(width - MARK_SIDE * scale) / 2, (height - MARK_SIDE * scale) / 2];
  const figure = paths.join('').replaceAll(/#[0-9a-f]{6}/g, mark);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none">
    <rect width="${width}" height="${height}" rx="${width * corner}" fill="${back}"/>
    <g transform="translate(${left} ${top}) scale(${scale})">${figure}</g>
  </svg>`;
}
