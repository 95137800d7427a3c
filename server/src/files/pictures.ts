import type { Sharp, SharpConstructor } from 'sharp';
import { invalid } from '../http/errors.ts';
import { PICTURE_MAX_SIDE } from './contract.ts';

/** The kinds of pictures that pages show. Everything else is only ever saved. */
const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
export type PictureFormat = (typeof FORMATS)[number];

/** All frames together: what a decoder has to hold. The largest phones' photos have 50 million pixels. */
const PIXELS_MAX = 50_000_000;
const DECODE_MAX_S = 20;
/** Beside everything else that the process does. */
const THREADS = 1;

/** A picture made anew from its pixels. */
export interface Picture {
  bytes: Buffer;
  format: PictureFormat;
  mime: string;
  /** Pixels */
  width: number;
  height: number;
}

let decoder: Promise<SharpConstructor> | undefined;

/** Loaded with the first picture. It may read these four formats only: no SVG with its references, none of its many others. */
function loadDecoder(): Promise<SharpConstructor> {
  decoder ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    const names = ['Jpeg', 'Png', 'Webp', 'Nsgif'];
    sharp.unblock({ operation: names.map((name) => `VipsForeignLoad${name}`) });
    sharp.concurrency(THREADS);
    sharp.cache(false);
    return sharp;
  });
  return decoder;
}

/**
 * The picture without anything that is not picture: no place where it was taken, no camera, nothing before, after or
 * between. What moves goes on moving.
 * @throws AppError 422 when it cannot be read whole, or is too large to be
 */
export function remake(bytes: Buffer): Promise<Picture> {
  return decode('file', async (sharp) => {
    const options = { limitInputPixels: PIXELS_MAX, failOn: 'error', animated: true } as const;
    const image = sharp(bytes, options).timeout({ seconds: DECODE_MAX_S });
    const { format, pages = 1 } = await image.metadata();
    // Where it stands upright is told by the metadata that goes; frames have none.
    const upright = pages > 1 ? image : image.autoOrient();
    return output(upright.toFormat(formatOf(format)));
  });
}

/**
 * A picture of a person, or a logo: a square of its middle, without metadata and movement.
 * @param field what the person calls it
 * @throws AppError 422 as `remake`
 */
export function remakeSquare(bytes: Buffer, field: string): Promise<Picture> {
  return decode(field, async (sharp) => {
    const options = { limitInputPixels: PIXELS_MAX, failOn: 'error' } as const;
    const image = sharp(bytes, options).timeout({ seconds: DECODE_MAX_S });
    const { format, width, height } = await image.metadata();
    const side = Math.min(width, height, PICTURE_MAX_SIDE);
    return output(image.autoOrient().resize(side, side, { fit: 'cover' }).toFormat(formatOf(format)));
  });
}

async function decode(field: string, make: (sharp: SharpConstructor) => Promise<Picture>): Promise<Picture> {
  const sharp = await loadDecoder();
  return make(sharp).catch((error: unknown) => {
    const tooLarge = error instanceof Error && /pixel limit|timeout/i.test(error.message);
    throw invalid([{ msg: tooLarge ? TOO_LARGE : DAMAGED, path: field }]);
  });
}

const TOO_LARGE = `This picture has too many pixels: at most ${PIXELS_MAX / 1_000_000} million can be sent.`;
const DAMAGED = 'This picture is damaged or cut off and cannot be sent.';

async function output(image: Sharp): Promise<Picture> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const format = formatOf(info.format);
  return { bytes: data, format, mime: `image/${format}`, width: info.width, height: info.pageHeight ?? info.height };
}

function formatOf(name: string): PictureFormat {
  const format = FORMATS.find((known) => known === name);
  if (!format) throw new Error(`${name} is no picture that pages show`);
  return format;
}
