/** Longest side of a stored picture, in pixels. */
const PICTURE_MAX_PX = 512;
const QUALITY = 0.9;

/**
 * Any picture that the browser can read, cut to its middle square where `square`, and scaled to what is stored.
 * @returns a data URL
 * @throws Error with a sentence where it is no picture
 */
export async function scaled(file: File, { square }: { square: boolean }): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not a picture that your browser can read.');
  });
  const side = Math.min(bitmap.width, bitmap.height);
  const [width, height] = square ? [side, side] : [bitmap.width, bitmap.height];
  const scale = Math.min(1, PICTURE_MAX_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const [left, top] = [(bitmap.width - width) / 2, (bitmap.height - height) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, width, height, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // WebP keeps transparent corners and is small; browsers that cannot write it answer a png.
  return canvas.toDataURL('image/webp', QUALITY);
}
