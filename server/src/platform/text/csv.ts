/** One row of a CSV file, with the line on which it begins, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** What is kept of a file: further cells of a row, and the rest of a longer cell, are left out. */
interface CsvBounds {
  columnsMax: number;
  cellMaxLength?: number;
}

/** A quotation mark of the file is not closed. */
export class UnclosedQuote extends Error {}

const BYTE_ORDER_MARK = '\ufeff';
/**
 * Spreadsheets run cells as formulas that begin with these characters, of either width. Some leave out blanks before them,
 * and some go on with the cell at a line break or tab.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads the rows of a CSV file (RFC 4180), in one pass and one after the other, so that its reader can stop or rest in
 * between; empty lines are rows without text. Semicolons are taken for commas where the first line has no commas, as
 * spreadsheets of many countries write them.
 * @throws UnclosedQuote
 */
export function* csvRows(
  text: string,
  { columnsMax, cellMaxLength = text.length }: CsvBounds,
): Generator<CsvRow, void> {
  let at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  let line = 1;
  const separator = separatorOf(text);

  const isLineEnd = () =>
    text.charCodeAt(at) === LINE_FEED ||
    (text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED);

  /** Moves to the end of a cell. @returns what is left of it */
  function plainCell(): string {
    const from = at;
    while (at < text.length && text.charCodeAt(at) !== separator && !isLineEnd()) at++;
    return text.slice(from, Math.min(at, from + cellMaxLength));
  }

  /** The same of one that begins with a quote. */
  function quotedCell(): string {
    const from = ++at;
    for (; text.charCodeAt(at) !== QUOTE || text.charCodeAt(at + 1) === QUOTE; at++) {
      if (at >= text.length) throw new UnclosedQuote();
      if (text.charCodeAt(at) === LINE_FEED) line++;
      if (text.charCodeAt(at) === QUOTE) at++;
    }
    // Two quotes stand for one.
    const quoted = text.slice(from, Math.min(at++, from + 2 * cellMaxLength)).replaceAll('""', '"');
    return (quoted + plainCell()).slice(0, cellMaxLength);
  }

  /** Moves to the end of a row without reading its cells, of which there may be millions. */
  function skipCells(): void {
    let next = at;
    for (let before = separator; next < text.length; next++) {
      const code = text.charCodeAt(next);
      if (code === LINE_FEED) break;
      if (code === CARRIAGE_RETURN && text.charCodeAt(next + 1) === LINE_FEED) break;
      if (code === QUOTE && before === separator) {
        at = next;
        quotedCell();
        next = at - 1;
      }
      before = code;
    }
    at = next;
  }

  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (let isLast = false; !isLast; at++) {
      if (row.cells.length === columnsMax) skipCells();
      else row.cells.push(text.charCodeAt(at) === QUOTE ? quotedCell() : plainCell());
      isLast = text.charCodeAt(at) !== separator;
    }
    if (text.charCodeAt(at - 1) === CARRIAGE_RETURN) at++;
    line++;
    yield row;
  }
}

function separatorOf(text: string): number {
  const end = text.indexOf('\n');
  const head = end < 0 ? text : text.slice(0, end);
  return (head.includes(';') && !head.includes(',') ? ';' : ',').charCodeAt(0);
}

/** Whether no cell of a row has text. */
export function isEmptyRow({ cells }: CsvRow): boolean {
  return cells.every((cell) => cell === '');
}

/**
 * Writes a CSV file (RFC 4180). Cells that a spreadsheet would run as formulas get a `'` in front, which `unguarded`
 * removes.
 */
export function writeCsv(rows: string[][]): string {
  const cell = (value: string) => `"${guarded(value).replaceAll('"', '""')}"`;
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const guarded = (value: string) => (FORMULA.test(value.replace(/^'+/, '')) ? `'${value}` : value);

/** The value of a cell that `writeCsv` wrote. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.replace(/^'+/, '')) ? cell.slice(1) : cell;
}
