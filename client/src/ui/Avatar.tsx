import { useState } from 'react';

const HUES = 12;
const SIZES = { sm: 'size-6 text-[10px]', md: 'size-8 text-xs', lg: 'size-10 text-sm', xl: 'size-20 text-2xl' };

/** A person's picture, else initials on a colour. Hidden from screen readers: the name always stands beside it. */
export function Avatar({
  name,
  src,
  size = 'md',
}: {
  name: string;
  src?: string | null | undefined;
  size?: keyof typeof SIZES;
}) {
  const [broken, setBroken] = useState<string | null>(null);
  const frame = `inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full font-semibold ${SIZES[size]}`;
  if (src && src !== broken) {
    return <img src={src} alt="" className={`${frame} object-cover`} onError={() => setBroken(src)} />;
  }
  return (
    <span aria-hidden data-hue={hueOf(name)} className={`hued ${frame}`}>
      {initials(name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase() || '?';
}

/** One of the hues in styles.css. Inline styles are not allowed by the Content Security Policy of pre-rendered pages. */
function hueOf(name: string): number {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % HUES;
  return sum;
}
