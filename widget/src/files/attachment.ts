import { type Attachment, PICTURE_TYPES } from 'server/contract';
import { el } from '../chat/kit.ts';
import { fileIcon } from '../chat/view/icons.ts';

/** Room for a picture in the conversation, in CSS pixels. */
const PICTURE_WIDTH = 240;
const PICTURE_HEIGHT = 280;
const KILOBYTE = 1_024;
const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** A file as it stands in the conversation: a picture in its place from the start, or a link with name and size. */
export function attachment({ url, name, size, mime, width, height }: Attachment, origin: string, locale: string): Node {
  const link = el('a', 'file', { href: origin + url, target: '_blank', rel: 'noopener' });
  if (width && height && PICTURE_TYPES.includes(mime)) {
    const scale = Math.min(1, PICTURE_WIDTH / width, PICTURE_HEIGHT / height);
    const room = { width: `${Math.round(width * scale)}`, height: `${Math.round(height * scale)}` };
    link.append(el('img', '', { src: origin + url, alt: name, loading: 'lazy', ...room }));
  } else {
    link.append(fileIcon(), el('span', 'name', {}, name), ' ', el('span', 'size', {}, weight(size, locale)));
  }
  return link;
}

/** A file's size in the unit that fits, as `192 bytes`, `25 kB` or `9.4 MB`: counted as the dashboard and the server's limits count. */
function weight(bytes: number, locale: string): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const digits = step === 2 ? 1 : 0;
  const options = { style: 'unit', unit: UNITS[step] ?? 'byte', unitDisplay: step ? 'short' : 'long' } as const;
  return (bytes / KILOBYTE ** step).toLocaleString(locale, { ...options, maximumFractionDigits: digits });
}
