import type { ImportSkip, ImportSkipped } from './contract.ts';

/** Line numbers that are listed for each reason. */
const LINES_MAX = 5;

/** Rows that belong together, of which the first is on this line. */
interface Rows {
  line: number;
  rows: number;
}

/** Counts rows that are left out. The file is read in a thread of its own, which must not load the store's models. */
export function noteSkipped(skipped: ImportSkipped[], why: ImportSkip, { line, rows }: Rows): void {
  let entry = skipped.find((one) => one.why === why);
  if (!entry) {
    entry = { why, rows: 0, lines: [] };
    skipped.push(entry);
  }
  entry.rows += rows;
  if (entry.lines.length < LINES_MAX) entry.lines.push(line);
}
