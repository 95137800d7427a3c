const KB = 1_000;
const MB = 1_000_000;

/** How large a file is, as people say it. */
export function sizeWord(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  return bytes < MB ? `${Math.round(bytes / KB)} kB` : `${(bytes / MB).toFixed(1)} MB`;
}
