export { type CsvRow, csvRows, isEmptyRow, UnclosedQuote, unguarded, writeCsv } from './csv.ts';
export { normalized, storable } from './text.ts';
