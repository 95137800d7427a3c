import type { Metadata, Sharp } from 'sharp';
import sharp from 'sharp';
import { FILE_MAX_BYTES, PICTURE_MAX_SIDE } from './contract.ts';
import { MOVING_PIXELS_MAX, PIXELS_MAX, RefusedError, WEBP_PIXELS_MAX } from './pixels.ts';

/** The kinds of pictures that pages show. Everything else is only ever saved. */
const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
export type PictureFormat = (typeof FORMATS)[number];

/** No page shows more pixels a side. */
const SIDE_MAX = 4_096;
/** What is larger than one of these comes out lossy: the other kinds take seconds to write, and may grow. */
const LOSSLESS_MAX = { png: { pixels: 4_000_000, bytes: 4_000_000 }, gif: { pixels: 1_000_000, bytes: 1_000_000 } };
/** Of WebP: the rest of its efforts triples the time and saves a tenth. */
const EFFORT = 0;

/** A picture made anew from its pixels. */
export interface Remade {
  bytes: Buffer;
  format: PictureFormat;
  /** Pixels */
  width: number;
  height: number;
}

// It may read these four formats only: no SVG with its references, none of its many others.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`) });
sharp.concurrency(1);
sharp.cache(false);

/**
 * The picture without anything that is not picture: no place where it was taken, no camera, nothing before, after or
 * between. What moves goes on moving.
 * @throws RefusedError
 */
export function remake(bytes: Buffer): Promise<Remade> {
  return reading(async () => {
    const options = { failOn: 'error', animated: true, limitInputPixels: PIXELS_MAX } as const;
    const about = await sharp(bytes, options).metadata();
    checkPixels(about);
    const image = sharp(bytes, options);
    if ((about.pages ?? 1) > 1) return output(encoded(image, about, bytes.length));
    // Where it stands upright is told by the metadata that goes; frames have none.
    const still = image.autoOrient().resize(SIDE_MAX, SIDE_MAX, { fit: 'inside', withoutEnlargement: true });
    return output(encoded(still, about, bytes.length));
  });
}

/**
 * A picture of a person, or a logo: a square of its middle, without metadata and movement.
 * @throws RefusedError
 */
export function remakeSquare(bytes: Buffer): Promise<Remade> {
  return reading(async () => {
    const options = { failOn: 'error', limitInputPixels: PIXELS_MAX } as const;
    const about = await sharp(bytes, options).metadata();
    checkPixels(about);
    const side = Math.min(about.width, about.height, PICTURE_MAX_SIDE);
    const square = sharp(bytes, options).autoOrient().resize(side, side, { fit: 'cover' });
    return output(square.toFormat(formatOf(about.format)));
  });
}

async function reading(make: () => Promise<Remade>): Promise<Remade> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'damaged');
  }
}

/** `height` is that of all frames, one below the other. */
function checkPixels({ format, width, height, pages = 1 }: Metadata): void {
  const pixels = width * height;
  if ((format === 'gif' || pages > 1) && pixels > MOVING_PIXELS_MAX) throw new RefusedError('moving-pixels');
  if (format === 'webp' && pixels > WEBP_PIXELS_MAX) throw new RefusedError('webp-pixels');
  if (pixels > PIXELS_MAX) throw new RefusedError('pixels');
}

function encoded(image: Sharp, { format: name, width, height }: Metadata, size: number): Sharp {
  const format = formatOf(name);
  if (format === 'jpeg') return image.jpeg();
  const isLarge = (most: { pixels: number; bytes: number }) => width * height > most.pixels || size > most.bytes;
  if (format === 'webp' || isLarge(LOSSLESS_MAX[format])) return image.webp({ effort: EFFORT });
  return image.toFormat(format);
}

async function output(image: Sharp): Promise<Remade> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  if (data.length > FILE_MAX_BYTES) throw new RefusedError('heavy');
  return { bytes: data, format: formatOf(info.format), width: info.width, height: info.pageHeight ?? info.height };
}

function formatOf(name: string): PictureFormat {
  const format = FORMATS.find((known) => known === name);
  if (!format) throw new RefusedError('damaged');
  return format;
}
