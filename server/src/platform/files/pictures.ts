import { invalid, sentence, type TranslatableText, unavailable } from '#platform/http';
import { createLimiter } from '#platform/work';
import { createDecoder, type Decoder } from './decoder.ts';
import type { PictureJob } from './picture-worker.ts';
import { MOVING_PIXELS_MAX, PIXELS_MAX, type Refusal, RefusedError, WEBP_PIXELS_MAX } from './pixels.ts';
import type { ReencodedPicture } from './reencode.ts';

/**
 * How many pictures are decoded at the same time, each in its own process. Separate pools, so that visitors' pictures do not
 * delay the team's.
 */
const CONCURRENCY = { staff: 1, visitors: 2 };
const WAIT_MAX_MS = 30_000;
/** Per sender: each waiting picture occupies disk space. */
const WAITING_MAX = 10;

/** The sender of a picture: one picture per sender is decoded at a time. */
export interface PictureSender {
  pool: keyof typeof CONCURRENCY;
  /** The account's id; for visitors the address, because a person can create many visitors but has few addresses. */
  key: string;
}

/** A picture as it was received. */
export interface PictureSource {
  /** Bytes */
  size: number;
  pieces: () => AsyncIterable<Uint8Array>;
  /** The field's name in the form. */
  field: string;
}

/** Re-encodes pictures from their pixels, in separate processes. */
export interface Pictures {
  /**
   * The picture without metadata and hidden data; large ones are scaled down.
   * @throws AppError 422 when it cannot be decoded or exceeds a limit; 503 when too many wait
   */
  reencode(source: PictureSource, sender: PictureSender): Promise<ReencodedPicture>;
  /** An avatar or a logo: the middle square of the picture, not animated. @throws AppError as `reencode` */
  reencodeSquare(source: PictureSource, sender: PictureSender): Promise<ReencodedPicture>;
  /** Ends the processes. */
  stop(): void;
}

/** Creates the pools; their processes start with the first picture. @param workerUrl the built `picture-worker` */
export function createPictures(workerUrl: URL): Pictures {
  const queueLimits = { waitMaxMs: WAIT_MAX_MS, waitingMax: WAITING_MAX, refused: unavailable };
  const poolOf = (concurrency: number) => ({
    limiter: createLimiter(concurrency, queueLimits),
    free: Array.from({ length: concurrency }, () => createDecoder(workerUrl)),
  });
  const pools = { staff: poolOf(CONCURRENCY.staff), visitors: poolOf(CONCURRENCY.visitors) };
  const all = Object.values(pools).flatMap(({ free }) => [...free]);

  async function decode(
    source: PictureSource,
    isSquare: boolean,
    { pool, key }: PictureSender,
  ): Promise<ReencodedPicture> {
    const { limiter, free } = pools[pool];
    const leave = await limiter.take(key);
    // The decoder used last, because its process is probably still running.
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
    reencode: (source, sender) => decode(source, false, sender),
    reencodeSquare: (source, sender) => decode(source, true, sender),
    stop() {
      for (const decoder of all) decoder.end();
    },
  };
}

const MILLION = 1_000_000;
const SENTENCES: Record<Refusal, TranslatableText> = {
  damaged: sentence('This picture is damaged or incomplete and cannot be sent.'),
  pixels: sentence('This picture has too many pixels: at most {max} million can be sent.', {
    max: PIXELS_MAX / MILLION,
  }),
  'webp-pixels': sentence('This picture has too many pixels: at most {max} million can be sent as WebP.', {
    max: WEBP_PIXELS_MAX / MILLION,
  }),
  'moving-pixels': sentence('This picture has too many pixels: at most {max} million in all its frames can be sent.', {
    max: MOVING_PIXELS_MAX / MILLION,
  }),
  heavy: sentence('This picture is too complex to process. Please make it smaller and try again.'),
};
