/** Longest side of a stored picture, in pixels. */
const PICTURE_MAX_PX = 512;
const QUALITY = 0.9;

/**
 * Any picture that the browser can read, cut to its middle square where `square`, and scaled to what is stored.
 * @returns a data URL
 * @throws Error with a sentence where it is no picture
 */
export async function resizePicture(file: File, { square }: { square: boolean }): Promise<string> {
  const { picture, ...size } = await read(file);
  const side = Math.min(size.width, size.height);
  const [width, height] = square ? [side, side] : [size.width, size.height];
  const scale = Math.min(1, PICTURE_MAX_PX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const [left, top] = [(size.width - width) / 2, (size.height - height) / 2];
  canvas.getContext('2d')?.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
  // WebP keeps transparent corners and is small; browsers that cannot write it answer a png.
  return canvas.toDataURL('image/webp', QUALITY);
}

interface Read {
  picture: CanvasImageSource;
  width: number;
  height: number;
}

async function read(file: File): Promise<Read> {
  try {
    const picture = await createImageBitmap(file);
    return { picture, width: picture.width, height: picture.height };
  } catch {
    return readAsImage(file);
  }
}

/** Drawings (SVG) are read as images only, where nothing in them runs. One that names no size is as large as is stored. */
async function readAsImage(file: File): Promise<Read> {
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  try {
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    return { picture, width: width || PICTURE_MAX_PX, height: height || PICTURE_MAX_PX };
  } catch {
    throw new Error('This file is not a picture that your browser can read.');
  } finally {
    URL.revokeObjectURL(picture.src);
  }
}
