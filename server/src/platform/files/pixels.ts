/** Enough for the largest phone photos. JPEG and PNG are scaled down while they are decoded. */
export const PIXELS_MAX = 50_000_000;
/** Lower, because WebP is decoded whole before it can be scaled. */
export const WEBP_PIXELS_MAX = 16_000_000;
/** All frames of an animation together, because all are kept in memory. A GIF always counts as an animation. */
export const MOVING_PIXELS_MAX = 10_000_000;

/** Why a picture is refused. */
export type Refusal = 'damaged' | 'pixels' | 'webp-pixels' | 'moving-pixels' | 'heavy';

/** A picture that is refused. */
export class RefusedError extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why);
    this.why = why;
  }
}
