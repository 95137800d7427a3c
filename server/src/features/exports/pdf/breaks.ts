/** Where a line of a paragraph begins and ends. `end` is exclusive, and leaves out the blanks at the line's end. */
export interface Part {
  start: number;
  end: number;
}

/** Measures the width of a part of the paragraph. */
type Measure = (start: number, end: number) => number;

const words = new Intl.Segmenter('en', { granularity: 'word' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WITHOUT_BLANKS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\uFF00-\uFFEF]/u;
/** No line may begin with the first of these, and none may end with the second. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\p{M}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const OPENING = /[\p{Ps}\p{Pi}]$/u;
const PLAIN = /^[\x21-\x7E\u00A1-\u024F\u0400-\u045F ]*$/;
/** A paragraph up to this length may fit into one line, so it is measured as a whole first. */
const SHORT_MAX = 100;
const FULL_WORD = / +|[^ ]+ */g;

/** Breaks a paragraph into lines that fit the width: between words, or by the rules of scripts that have no blanks. */
export function breakLines(paragraph: string, width: number, measure: Measure): Part[] {
  const whole = { start: 0, end: paragraph.trimEnd().length };
  if (paragraph.length <= SHORT_MAX && measure(0, whole.end) <= width) return [whole];
  const lines: Part[] = [];
  let line: Part = { start: 0, end: 0 };
  let reached = 0;
  let stop = 0;
  const close = (next: number) => {
    lines.push(line);
    line = { start: next, end: next };
    reached = 0;
  };
  for (const word of unitsOf(paragraph)) {
    const start = stop;
    stop += word.length;
    const end = start + word.trimEnd().length;
    if (line.end > line.start && reached + measure(start, end) > width) close(start);
    if (measure(start, end) > width) {
      for (const part of slices(paragraph, start, end, width, measure)) {
        if (part.start > start) close(part.start);
        line = { start: part.start, end: part.end };
      }
      reached = measure(line.start, stop);
    } else {
      line.end = Math.max(line.end, end);
      reached += measure(start, stop);
    }
  }
  lines.push(line);
  return lines;
}

/** The units that lines are filled with, each with the blanks that follow it. */
function unitsOf(paragraph: string): string[] {
  if (PLAIN.test(paragraph)) return paragraph.match(FULL_WORD) ?? [];
  const units: string[] = [];
  for (const { segment } of words.segment(paragraph)) {
    const before = units.at(-1);
    if (before === undefined || mayBreak(before, segment)) units.push(segment);
    else units[units.length - 1] = before + segment;
  }
  return units;
}

function mayBreak(before: string, after: string): boolean {
  if (/^\s/.test(after)) return false;
  if (/\s$/.test(before)) return true;
  const isDense = WITHOUT_BLANKS.test(before.slice(-1)) || WITHOUT_BLANKS.test(after);
  return isDense && !CLOSING.test(after) && !OPENING.test(before);
}

/** Cuts a word that is too wide for a line wherever the line is full. */
function slices(paragraph: string, start: number, end: number, width: number, measure: Measure): Part[] {
  const parts: Part[] = [];
  let part: Part = { start, end: start };
  let reached = 0;
  for (const { segment, index } of graphemes.segment(paragraph.slice(start, end))) {
    const from = start + index;
    const wide = measure(from, from + segment.length);
    if (part.end > part.start && reached + wide > width) {
      parts.push(part);
      part = { start: from, end: from };
      reached = 0;
    }
    part.end = from + segment.length;
    reached += wide;
  }
  return [...parts, part];
}
