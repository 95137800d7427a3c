import type { Email } from 'postal-mime';
import { storable, textOfMailHtml } from '#platform/text';
import { TEXT_MAX_LENGTH } from './mail.ts';

/** The characters of Windows-1252 from 0x80 to 0x9f; a space stands for those that it does not have. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const WINDOWS_1252_FIRST = 0x80;

/** How the lines of a plain text are to be joined again; null: they are not. */
export type Flowed = { deletesSpaces: boolean } | null;

/**
 * Looks for a plain part in which lines are broken by RFC 3676, and hides that from the parser, which would join lines of quotes with
 * those of the answer.
 */
export function findFlowed(bytes: Buffer): Flowed {
  const text = bytes.toString('latin1');
  for (const { 0: header, index } of text.matchAll(/^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim)) {
    const at = header.search(/\bformat="?flowed\b/i);
    if (at < 0 || !/^content-type:\s*text\/plain\b/i.test(header)) continue;
    bytes[index + at] = 'x'.charCodeAt(0);
    return { deletesSpaces: /\bdelsp="?yes\b/i.test(header) };
  }
  return null;
}

/** What a mail says: its plain text, or else the text of its HTML. */
export function textOf({ text = '', html = '' }: Email, flowed: Flowed): string {
  const plain = cleaned(text.slice(0, TEXT_MAX_LENGTH));
  if (plain.trim() === '') return cleaned(textOfMailHtml(html, TEXT_MAX_LENGTH).slice(0, TEXT_MAX_LENGTH)).trim();
  return (flowed ? unflowed(plain, flowed) : plain).trim();
}

const cleaned = (text: string) => fromWindows1252(storable(text)).replace(/\r\n?/g, '\n');

/**
 * Joins lines that were broken to be sent: those that end with a space, and only lines of the same quote.
 * @see https://www.rfc-editor.org/rfc/rfc3676 section 4
 */
function unflowed(text: string, { deletesSpaces }: { deletesSpaces: boolean }): string {
  const paragraphs: { quote: string; pieces: string[]; goesOn: boolean }[] = [];
  for (const line of text.split('\n')) {
    const [quote = ''] = line.match(/^>*/) ?? [];
    // A space before the content is for mail servers that change lines that begin with 'From'.
    const content = line.slice(quote.length).replace(/^ /, '');
    const goesOn = content.endsWith(' ') && content !== '-- ';
    const piece = goesOn && deletesSpaces ? content.slice(0, -1) : content;
    const last = paragraphs.at(-1);
    if (last?.goesOn && last.quote === quote && content !== '-- ') {
      last.pieces.push(piece);
      last.goesOn = goesOn;
    } else {
      paragraphs.push({ quote, pieces: [piece], goesOn });
    }
  }
  return paragraphs.map(({ quote, pieces }) => (quote && `${quote} `) + pieces.join('')).join('\n');
}

/**
 * A text in which quotation marks, dashes and `€` of Windows-1252 are what was written: several versions of Node decode them to control
 * characters, which no text has.
 * @see https://github.com/nodejs/node/issues/56542
 */
export function fromWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - WINDOWS_1252_FIRST] ?? ' ');
}
