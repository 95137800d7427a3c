const letters = new Intl.Segmenter();

/** The start of a text in one line, at most `length` letters as people see them. */
export function preview(text: string, length: number): string {
  const all = Array.from(letters.segment(text.replace(/\s+/g, ' ').trim()), ({ segment }) => segment);
  return all.length > length ? `${all.slice(0, length).join('').trimEnd()}…` : all.join('');
}
