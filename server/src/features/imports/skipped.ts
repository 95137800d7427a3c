import type { ImportSkip, ImportSkipped } from './contract.ts';

/** Of the rows that are left out for one reason, the lines of so many are named. */
const LINES_MAX = 5;

/** Rows that belong together, of which the first is on this line. */
interface Rows {
  line: number;
  rows: number;
}

/** Counts rows that are left out. The file is read in a thread of its own, which must not load the store's models. */
export function noteSkipped(skipped: ImportSkipped[], why: ImportSkip, { line, rows }: Rows): void {
  let known = skipped.find((one) => one.why === why);
  if (!known) {
    known = { why, rows: 0, lines: [] };
    skipped.push(known);
  }
  known.rows += rows;
  if (known.lines.length < LINES_MAX) known.lines.push(line);
}
