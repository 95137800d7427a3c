/** The largest phones' photos. JPEG and PNG are made smaller while they are read. */
export const PIXELS_MAX = 50_000_000;
/** WebP is unpacked whole before anything can be done with it. */
export const WEBP_PIXELS_MAX = 16_000_000;
/** All frames of what moves together, of which every one is kept. A GIF counts as moving: it is read as if it were. */
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
