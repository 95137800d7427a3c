export { createPdfPool, type PdfPool } from './pdfPool.ts';
