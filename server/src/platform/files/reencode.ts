import type { Metadata, Sharp } from 'sharp';
import sharp from 'sharp';
import { FILE_MAX_BYTES, PICTURE_MAX_SIDE } from './contract.ts';
import { MOVING_PIXELS_MAX, PIXELS_MAX, RefusedError, WEBP_PIXELS_MAX } from './pixels.ts';

/** The image formats that pages display. Files of any other format are only downloaded. */
const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
export type PictureFormat = (typeof FORMATS)[number];

/** The maximum side in pixels; no page displays more. */
const SIDE_MAX = 4_096;
/** Larger PNG and GIF pictures are encoded lossily, because lossless encoding takes seconds and the file may grow. */
const LOSSLESS_MAX = { png: { pixels: 4_000_000, bytes: 4_000_000 }, gif: { pixels: 1_000_000, bytes: 1_000_000 } };
/** WebP's encoding effort: higher values triple the time and save a tenth of the size. */
const EFFORT = 0;

/** A picture re-encoded from its pixels. */
export interface ReencodedPicture {
  bytes: Buffer;
  format: PictureFormat;
  /** Pixels */
  width: number;
  height: number;
}

// Only these four formats can be decoded: no SVG with its external references, and none of libvips' other formats.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`) });
sharp.concurrency(1);
sharp.cache(false);

/**
 * Re-encodes a picture from its pixels, which removes all other data: location, camera, anything before, after or between
 * the pixels. Animations stay animated.
 * @throws RefusedError
 */
export function reencode(bytes: Buffer): Promise<ReencodedPicture> {
  return reading(async () => {
    const options = { failOn: 'error', animated: true, limitInputPixels: PIXELS_MAX } as const;
    const about = await sharp(bytes, options).metadata();
    checkPixels(about);
    const image = sharp(bytes, options);
    if ((about.pages ?? 1) > 1) return output(encoded(image, about, bytes.length));
    // Applies the orientation, because the metadata that stores it is removed; frames of animations have none.
    const still = image.autoOrient().resize(SIDE_MAX, SIDE_MAX, { fit: 'inside', withoutEnlargement: true });
    return output(encoded(still, about, bytes.length));
  });
}

/**
 * Makes an avatar or a logo: the middle square, without metadata and animation.
 * @throws RefusedError
 */
export function reencodeSquare(bytes: Buffer): Promise<ReencodedPicture> {
  return reading(async () => {
    const options = { failOn: 'error', limitInputPixels: PIXELS_MAX } as const;
    const about = await sharp(bytes, options).metadata();
    checkPixels(about);
    const side = Math.min(about.width, about.height, PICTURE_MAX_SIDE);
    const square = sharp(bytes, options).autoOrient().resize(side, side, { fit: 'cover' });
    return output(square.toFormat(formatOf(about.format)));
  });
}

async function reading(make: () => Promise<ReencodedPicture>): Promise<ReencodedPicture> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'damaged');
  }
}

/** Checks the pixel limits. `height` is that of all frames, one below the other. */
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

async function output(image: Sharp): Promise<ReencodedPicture> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  if (data.length > FILE_MAX_BYTES) throw new RefusedError('heavy');
  return { bytes: data, format: formatOf(info.format), width: info.width, height: info.pageHeight ?? info.height };
}

function formatOf(name: string): PictureFormat {
  const format = FORMATS.find((supported) => supported === name);
  if (!format) throw new RefusedError('damaged');
  return format;
}
