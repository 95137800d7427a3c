import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openNameless } from '#platform/files';
import { AppError, sentence } from '#platform/http';
import { createLimiter } from '#platform/work';
import type { Heading } from './heading.ts';
import type { PdfAsk, PdfJob } from './pdf/worker.ts';
import { type Piece, splitByWork } from './pieces.ts';

/** PDFs made at once. Each needs a core, and memory that is freed when its thread ends. */
const PDFS_AT_ONCE = 2;
const HEAP_MAX_MB = 256;
const RETRY_AFTER_S = 10;
/** Bytes that are read of the temporary file at a time. */
const PIECE_BYTES = 64 * 1024;
/** How every PDF ends. */
const END_OF_PDF = Buffer.from('%%EOF\n');

/** Time limits, in milliseconds. */
const LIMITS_MS = {
  /** Waiting for a thread: clients give an export up when no data has come for 30 seconds. */
  turn: 20_000,
  /** One portion: the most expensive ones take seconds on a small machine. */
  portion: 60_000,
  /**
   * All portions of one PDF: several times what the largest PDF takes. Then the PDF ends early, with a sentence that says
   * so.
   */
  work: 10 * 60_000,
};

/** Makes PDFs, each in a thread of its own. */
export interface PdfPool {
  /**
   * Starts a PDF as soon as a thread is free. It is made at full speed into a temporary file, so that a slow reader keeps no
   * thread, and its bytes can be read meanwhile.
   * @param over aborts when the reader has left: the thread is ended
   * @throws AppError 503 when no thread is free in time
   */
  print(order: PdfOrder, over: AbortSignal): Promise<AsyncGenerator<Uint8Array>>;
}

/** What is to be printed, and for which person. */
export interface PdfOrder {
  /** The person's id; each person has one thread at a time. */
  person: string;
  heading: Heading;
  pieces: AsyncIterable<Piece[]>;
}

/** Where the pool finds its files, and its time limits. */
interface PdfPoolSettings {
  /** The built `pdf-worker`. */
  workerUrl: URL;
  /** The folder of the font files. */
  fonts: URL;
  limitsMs?: Partial<typeof LIMITS_MS>;
}

/** Makes the pool; a thread starts only when there is a PDF to print. */
export function createPdfPool({ workerUrl, fonts, limitsMs: given }: PdfPoolSettings): PdfPool {
  const limitsMs = { ...LIMITS_MS, ...given };
  const limiter = createLimiter(PDFS_AT_ONCE, { waitMaxMs: limitsMs.turn, waitingMax: 2, refused: allTaken });
  return {
    async print({ person, heading, pieces }, over) {
      const leave = await limiter.take(person, over);
      const job: PdfJob = { fonts: fileURLToPath(fonts), heading };
      const worker = new Worker(workerUrl, {
        workerData: job,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      });
      const stop = () => void worker.terminate();
      worker.once('exit', leave);
      const ask = talkTo(worker, limitsMs.portion);
      over.addEventListener('abort', stop, { once: true });
      if (over.aborted) stop();
      return spooled(feed(ask, splitByWork(pieces), { stop, workMaxMs: limitsMs.work }));
    },
  };
}

type Ask = (ask: PdfAsk) => Promise<Uint8Array>;

/** Sends a request only when the one before is answered, so that neither side has to buffer for the other. */
function talkTo(worker: Worker, answerMaxMs: number): Ask {
  let failure: Error | undefined;
  let waiting: { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  worker.on('message', (bytes: Uint8Array) => waiting?.resolve(bytes));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that creates the PDF has stopped.')));
  return async (ask) => {
    const late = setTimeout(() => {
      fail(new Error('A part of the PDF took too long to create, so the PDF was cancelled.'));
      void worker.terminate();
    }, answerMaxMs);
    try {
      return await new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (failure) reject(failure);
        else worker.postMessage(ask);
      });
    } finally {
      clearTimeout(late);
    }
  };
}

async function* feed(
  ask: Ask,
  pieces: AsyncIterable<Piece[]>,
  { stop, workMaxMs }: { stop: () => void; workMaxMs: number },
): AsyncGenerator<Uint8Array> {
  let worked = 0;
  try {
    for await (const portion of pieces) {
      const began = performance.now();
      const bytes = await ask(portion);
      worked += performance.now() - began;
      yield bytes;
      if (worked > workMaxMs) return yield whole(await ask('late'));
    }
    yield whole(await ask('end'));
  } finally {
    stop();
  }
}

/** Writes a source into a temporary file at its own speed. @returns what is written, at the speed of its reader */
async function* spooled(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const handle = await openNameless();
  let written = 0;
  let isOver = false;
  let wake = () => {};
  const writing = (async () => {
    for await (const bytes of source) {
      await handle.appendFile(bytes);
      written += bytes.length;
      wake();
    }
  })().finally(() => {
    isOver = true;
    wake();
  });
  // Its failure is thrown to the reader below.
  writing.catch(() => {});
  try {
    for (let read = 0; !isOver || read < written; ) {
      if (read === written) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, written - read));
      const { bytesRead } = await handle.read(piece, 0, piece.length, read);
      read += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
    await writing;
  } finally {
    await writing.catch(() => {});
    await handle.close();
  }
}

/** @throws Error when these are not the last bytes of a PDF: its reader would take what came before for all of it */
function whole(last: Uint8Array): Uint8Array {
  if (!Buffer.from(last.slice(-END_OF_PDF.length)).equals(END_OF_PDF))
    throw new Error('The PDF ended before it was complete.');
  return last;
}

function allTaken(): AppError {
  const text = sentence('Other PDFs are being created right now. Please try again in a moment, or export as TXT.');
  return new AppError(503, 'UNAVAILABLE', text, { retryAfter: RETRY_AFTER_S });
}
