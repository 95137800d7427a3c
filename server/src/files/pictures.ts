import { invalid, unavailable } from '../http/errors.ts';
import { createLimiter } from '../limiter.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import type { PictureJob } from './picture-worker.ts';
import { MOVING_PIXELS_MAX, PIXELS_MAX, type Refusal, RefusedError, WEBP_PIXELS_MAX } from './pixels.ts';
import type { Remade } from './remake.ts';

/** Pictures that are read at once, each in a process of its own: what visitors send keeps no member waiting. */
const PLACES = { staff: 1, visitors: 2 };
const WAIT_MAX_MS = 30_000;
/** Of one sender. Each is a file that lies on the disk until its turn. */
const WAITING_MAX = 10;

/** Who sends a picture: one of each sender is read at a time. */
export interface PictureSender {
  lane: keyof typeof PLACES;
  /** The account; of visitors the address, of which one person has fewer than names. */
  key: string;
}

/** A picture as it was sent. */
export interface PictureSource {
  /** Bytes */
  size: number;
  pieces: () => AsyncIterable<Uint8Array>;
  /** What the person calls it in the form. */
  field: string;
}

/** Makes pictures anew from their pixels, in processes of their own. */
export interface Pictures {
  /**
   * The picture without anything that is not picture; large ones become smaller.
   * @throws AppError 422 when it cannot be read whole, or is too much to be; 503 when too many wait
   */
  remake(source: PictureSource, sender: PictureSender): Promise<Remade>;
  /** A picture of a person, or a logo: a square of its middle, which stands still. @throws AppError as `remake` */
  remakeSquare(source: PictureSource, sender: PictureSender): Promise<Remade>;
  /** Ends the processes. */
  stop(): void;
}

/** Starts nothing: that is left to the first picture. @param workerUrl the built `picture-worker` */
export function createPictures(workerUrl: URL): Pictures {
  const patience = { waitMaxMs: WAIT_MAX_MS, waitingMax: WAITING_MAX, refused: unavailable };
  const laneOf = (places: number) => ({
    limiter: createLimiter(places, patience),
    free: Array.from({ length: places }, () => createDecoder(workerUrl)),
  });
  const lanes = { staff: laneOf(PLACES.staff), visitors: laneOf(PLACES.visitors) };
  const all = Object.values(lanes).flatMap(({ free }) => [...free]);

  async function decode(source: PictureSource, isSquare: boolean, { lane, key }: PictureSender): Promise<Remade> {
    const { limiter, free } = lanes[lane];
    const leave = await limiter.take(key);
    // The one that worked last is awake.
    const decoder = free.pop() as Decoder;
    try {
      const job: PictureJob = { size: source.size, isSquare };
      return await decoder.decode(job, source.pieces());
    } catch (error) {
      throw error instanceof RefusedError ? invalid([{ msg: SENTENCES[error.why], path: source.field }]) : error;
    } finally {
      free.push(decoder);
      leave();
    }
  }

  return {
    remake: (source, sender) => decode(source, false, sender),
    remakeSquare: (source, sender) => decode(source, true, sender),
    stop() {
      for (const decoder of all) decoder.end();
    },
  };
}

const million = (pixels: number) => `${pixels / 1_000_000} million`;
const SENTENCES: Record<Refusal, string> = {
  damaged: 'This picture is damaged or cut off and cannot be sent.',
  pixels: `This picture has too many pixels: at most ${million(PIXELS_MAX)} can be sent.`,
  'webp-pixels': `This picture has too many pixels: at most ${million(WEBP_PIXELS_MAX)} can be sent as WebP.`,
  'moving-pixels': `This picture has too many pixels: at most ${million(MOVING_PIXELS_MAX)} in all its frames can be sent.`,
  heavy: 'This picture takes too much work to be read and cannot be sent. Please make it smaller.',
};
