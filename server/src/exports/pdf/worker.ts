import { parentPort, workerData } from 'node:worker_threads';
import type { Heading } from '../heading.ts';
import type { Piece } from '../pieces.ts';
import { createPdf } from './layout.ts';

/** What the thread begins with. */
export interface PdfJob {
  /** Where the font files are. */
  fonts: string;
  heading: Heading;
}

const { fonts, heading }: PdfJob = workerData;
const pdf = createPdf(fonts, heading);

/** Some pieces, or null for the end; each is answered with the bytes that are ready. */
parentPort?.on('message', (pieces: Piece[] | null) => {
  for (const piece of pieces ?? []) pdf.add(piece);
  if (pieces === null) pdf.end();
  const bytes = pdf.take();
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
