import { normalized } from '#platform/text';
import { breakLines } from './breaks.ts';
import { inFontOrder, inVisualOrder, levelsOf, stretchesOf } from './direction.ts';
import { createFontChooser } from './fonts.ts';
import type { Pen, Run } from './pen.ts';

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * Control characters, characters that change the direction of others, and invisible marks. Joiners are kept, since words
 * and emoji need them.
 */
const UNPRINTABLE =
  /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Emoji_Modifier}\p{Noncharacter_Code_Point}\u00AD\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu;
const TAB = '    ';

/** A text as a page can show it: line breaks are `\n`, and every other character is visible or shapes its neighbours. */
function printable(text: string): string {
  return normalized(text.toWellFormed(), 'NFC')
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', TAB)
    .replace(UNPRINTABLE, '');
}

/** How a text looks, in points. */
export interface Style {
  size: number;
  color: string;
  bold?: boolean;
}

/** A line ready to be drawn: its runs from left to right. */
export interface Line {
  runs: Run[];
  width: number;
  /** The line belongs to a paragraph that is read from right to left, and is aligned to the right. */
  isRightToLeft: boolean;
  style: Style;
}

/** Sets texts of any script into lines that fit the width. */
export type Typesetter = (text: string, width: number, style: Style) => Line[];

/** Makes the setter of a document. */
export function createTypesetter(pen: Pen): Typesetter {
  const chooseFonts = createFontChooser(pen.covers);

  function setParagraph(paragraph: string, width: number, style: Style): Line[] {
    const spans = chooseFonts(paragraph, style.bold ? 'bold' : 'latin');
    const levels = levelsOf(paragraph);
    const runsOf = (start: number, end: number): Run[] =>
      inVisualOrder(stretchesOf(spans, start, end, levels)).map(({ start, end, font, level }) => {
        const read = paragraph.slice(start, end);
        const text = inFontOrder(read, level);
        // In Devanagari some vowel signs are drawn before the letter that they follow in reading order.
        const actual = font === 'devanagari' ? { actual: read } : {};
        return { text, font, width: pen.width(text, font, style.size), ...actual };
      });
    const measure = (start: number, end: number) =>
      stretchesOf(spans, start, end, null).reduce(
        (sum, part) => sum + pen.width(paragraph.slice(part.start, part.end), part.font, style.size),
        0,
      );
    return breakLines(paragraph, width, measure).map(({ start, end }) => {
      const runs = runsOf(start, end);
      const total = runs.reduce((sum, run) => sum + run.width, 0);
      return { runs, width: total, isRightToLeft: (levels?.base ?? 0) % 2 === 1, style };
    });
  }

  return (text, width, style) =>
    printable(text)
      .split('\n')
      .flatMap((paragraph) => setParagraph(paragraph, width, style));
}
