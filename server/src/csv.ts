/** One row of a CSV file, with the line on which it begins, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

const BYTE_ORDER_MARK = '\ufeff';
/** Spreadsheets run cells that begin with these characters as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Reads a CSV file (RFC 4180), in one pass. Semicolons are taken for commas where the first line has no commas, as
 * spreadsheets of many countries write them. Empty lines are left out.
 * @param rowsMax reads no further than one row more
 * @returns null: a quote is not closed
 */
export function parseCsv(text: string, rowsMax: number): CsvRow[] | null {
  const all = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const [head = ''] = all.split(/\r?\n/, 1);
  const comma = head.includes(';') && !head.includes(',') ? ';' : ',';
  const rows: CsvRow[] = [];
  let line = 1;
  for (let at = 0; at < all.length && rows.length <= rowsMax; ) {
    const row: CsvRow = { line, cells: [] };
    for (let isEnd = false; !isEnd; ) {
      const cell = readCell(all, at, comma);
      if (!cell) return null;
      row.cells.push(cell.value);
      line += cell.lines;
      isEnd = all[cell.end] !== comma;
      at = cell.end + 1;
      if (isEnd && all.startsWith('\r\n', cell.end)) at++;
    }
    line++;
    if (row.cells.some((cell) => cell !== '')) rows.push(row);
  }
  return rows;
}

interface Cell {
  value: string;
  /** The index of the comma or line break after it. */
  end: number;
  /** The line breaks in it. */
  lines: number;
}

function readCell(all: string, from: number, comma: string): Cell | null {
  if (all[from] !== '"') {
    const end = endOf(all, from, comma);
    return { value: all.slice(from, end), end, lines: 0 };
  }
  let value = '';
  for (let at = from + 1; ; ) {
    const quote = all.indexOf('"', at);
    if (quote === -1) return null;
    value += all.slice(at, quote);
    if (all[quote + 1] === '"') {
      value += '"';
      at = quote + 2;
      continue;
    }
    const end = endOf(all, quote + 1, comma);
    return { value: value + all.slice(quote + 1, end), end, lines: value.split('\n').length - 1 };
  }
}

function endOf(all: string, from: number, comma: string): number {
  for (let at = from; at < all.length; at++) {
    if (all[at] === comma || all[at] === '\n' || all.startsWith('\r\n', at)) return at;
  }
  return all.length;
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
