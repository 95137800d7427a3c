import bidiFactory from 'bidi-js';
import type { Span } from './fonts.ts';

// The package's types describe an ES module, but Node loads its CommonJS file, whose export is the factory itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Characters that can make a text run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const RTL_SCRIPT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;
const OF_NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/gu;

/**
 * The embedding level of each character: how deep it is nested in the other direction. Odd levels run from right to left.
 */
export interface Levels {
  levels: Uint8Array;
  /** The level of the paragraph itself. */
  base: number;
}

/** The levels of a paragraph by the Unicode Bidirectional Algorithm. @returns null: all of it runs from left to right */
export function levelsOf(paragraph: string): Levels | null {
  if (!RIGHT_TO_LEFT.test(paragraph)) return null;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph);
  return { levels, base: paragraphs[0]?.level ?? 0 };
}

/** A stretch in one font and one direction. */
export interface Stretch extends Span {
  level: number;
}

/** Splits the part of a paragraph on one line into stretches, in reading order. */
export function stretchesOf(spans: Span[], start: number, end: number, found: Levels | null): Stretch[] {
  const stretches: Stretch[] = [];
  for (const span of spans) {
    const to = Math.min(span.end, end);
    for (let from = Math.max(span.start, start); from < to; ) {
      const level = found?.levels[from] ?? 0;
      let stop = found ? from + 1 : to;
      while (found && stop < to && found.levels[stop] === level) stop++;
      stretches.push({ start: from, end: stop, font: span.font, level });
      from = stop;
    }
  }
  return stretches;
}

/**
 * The stretches in the order in which they are drawn, from left to right.
 * @see https://www.unicode.org/reports/tr9/#L2
 */
export function inVisualOrder(stretches: Stretch[]): Stretch[] {
  const ordered = [...stretches];
  const highest = Math.max(0, ...ordered.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to++;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

/**
 * The characters of a stretch in the order that the font expects. The shaping engine reverses Arabic and Hebrew itself,
 * by the script of the first letter; other text that runs against its script is reversed here.
 */
export function inFontOrder(text: string, level: number): string {
  const runsRight = level % 2 === 1;
  const turnedByFont = RTL_SCRIPT.test([...text.replace(OF_NO_SCRIPT, '')][0] ?? '');
  const mirrored = runsRight ? [...text].map((char) => bidi.getMirroredCharacter(char) ?? char).join('') : text;
  if (runsRight === turnedByFont) return mirrored;
  return Array.from(graphemes.segment(mirrored), ({ segment }) => segment)
    .reverse()
    .join('');
}
