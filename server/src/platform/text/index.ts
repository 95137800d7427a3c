export { type CsvRow, csvRows, isEmptyRow, UnclosedQuote, unguarded, writeCsv } from './csv.ts';
export { isHtml, textOfHtml, textOfMailHtml } from './markup.ts';
export { normalized, storable } from './text.ts';
