import { inLanguage, mailText } from '#platform/mail';

/** The first line of each mail that can be answered: below it, answers quote the mail. It is recognised in all languages of mails. */
export const ANSWER_ABOVE = mailText('- - - Please write your answer above this line - - -');

/** In Spanish mails of former releases: an answer may come a month later. */
const FORMER = 'Escriba su respuesta encima de esta línea';
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'];
const MARKERS = [FORMER, ...LANGUAGES.map((language) => inLanguage(ANSWER_ABOVE, language))].map(lettersOf);
/** Into how many lines mail programs break it. */
const PARTS_MAX = 3;
const LENGTH_MAX = 200;

/** What is left of a line however it is quoted, indented, marked or shortened in its dashes. */
function lettersOf(line: string): string {
  return line.replaceAll(/[^\p{L}]+/gu, '').toLowerCase();
}

/**
 * Whether our marker line begins at a line, in any language, quoted, indented, or broken into up to three lines.
 * @returns the index after its last line; `at`: it does not begin there
 */
export function afterMarker(lines: string[], at: number): number {
  let read = '';
  for (const [i, line] of lines.slice(at, at + PARTS_MAX).entries()) {
    if (line.length > LENGTH_MAX) break;
    read += lettersOf(line);
    if (read === '' || !MARKERS.some((marker) => marker.startsWith(read))) break;
    if (MARKERS.includes(read)) return at + i + 1;
  }
  return at;
}
