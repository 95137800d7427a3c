/** A text without what no store keeps: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/**
 * The marks of one character beyond the thirty that Unicode's stream-safe format allows (UAX #15); no language has more
 * than a few.
 */
const EXCESSIVE_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * The Unicode normal form of a text of any length. Normalizing sorts the marks of each character, in time quadratic in their
 * number, so excessive ones are left out; `npm run check -- regexps` refuses other calls of `normalize`.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  return text.replace(EXCESSIVE_MARKS, '$1').normalize(form);
}
