import { constants, setPriority } from 'node:os';
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

// Messages go before exports. On Linux a priority is a thread's own; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Some pieces, or null for the end; each is answered with the bytes that are ready. */
parentPort?.on('message', (pieces: Piece[] | null) => {
  for (const piece of pieces ?? []) pdf.add(piece);
  if (pieces === null) pdf.end();
  const bytes = pdf.take();
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
