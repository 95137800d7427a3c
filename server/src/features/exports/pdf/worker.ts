import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Heading } from '../heading.ts';
import type { Piece } from '../pieces.ts';
import { createPdf } from './layout.ts';

/** What the thread is started with. */
export interface PdfJob {
  /** Where the font files are. */
  fonts: string;
  heading: Heading;
}

/**
 * Some pieces, or the end; each is answered with the bytes that are ready. `late` ends the PDF before everything is in
 * it.
 */
export type PdfAsk = Piece[] | 'end' | 'late';

const LATE =
  'This PDF is not complete: it took too long to create. Choose a website, a supporter or fewer days, or export as TXT, which has no limit.';

const { fonts, heading }: PdfJob = workerData;
const pdf = createPdf(fonts, heading);

// Chat messages take priority over exports. Only on Linux does a priority apply to a single thread; elsewhere it would
// slow the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on('message', (ask: PdfAsk) => {
  if (typeof ask === 'string') pdf.end(ask === 'late' ? LATE : undefined);
  else for (const piece of ask) pdf.add(piece);
  const bytes = pdf.take();
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
