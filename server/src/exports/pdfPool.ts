import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from '../http/errors.ts';
import { createLimiter } from '../limiter.ts';
import type { Heading } from './heading.ts';
import type { PdfAsk, PdfJob } from './pdf/worker.ts';
import { type Piece, portions } from './pieces.ts';

/** Each takes a core, and memory that is given back with its thread. */
const PDFS_AT_ONCE = 2;
const HEAP_MAX_MB = 256;
const RETRY_AFTER_S = 10;

/** How long what may take, in milliseconds. */
const PATIENCE = {
  /** For a thread: a client gives an export up when nothing has come for half a minute. */
  turn: 20_000,
  /** One portion: the dearest takes seconds on a small machine. */
  portion: 60_000,
  /** All portions of one PDF: several times what the largest one takes. Then it ends with a sentence that says so. */
  work: 10 * 60_000,
  /** With a reader who takes little at a time. */
  whole: 60 * 60_000,
};

/** Makes PDFs, each in a thread of its own. */
export interface PdfPool {
  /**
   * Begins a PDF as soon as a thread is free; its bytes come as fast as their reader takes them.
   * @param over says when nobody reads any longer: the thread ends
   * @throws AppError 503 when no thread gets free in time
   */
  print(order: PdfOrder, over: AbortSignal): Promise<AsyncGenerator<Uint8Array>>;
}

/** What is to be printed, and for whom. */
export interface PdfOrder {
  /** Has one thread at a time. */
  person: string;
  heading: Heading;
  pieces: AsyncIterable<Piece[]>;
}

/** Where the pool finds what it needs, and how patient it is. */
interface PdfPoolSettings {
  /** The built `pdf-worker`. */
  workerUrl: URL;
  /** The folder of the font files. */
  fonts: URL;
  patience?: Partial<typeof PATIENCE>;
}

/** Makes the pool; it starts no thread before there is something to print. */
export function createPdfPool({ workerUrl, fonts, patience: given }: PdfPoolSettings): PdfPool {
  const patience = { ...PATIENCE, ...given };
  const limiter = createLimiter(PDFS_AT_ONCE, { waitMaxMs: patience.turn, waitingMax: 2, refused: allTaken });
  return {
    async print({ person, heading, pieces }, over) {
      const leave = await limiter.take(person, over);
      const job: PdfJob = { fonts: fileURLToPath(fonts), heading };
      const worker = new Worker(workerUrl, {
        workerData: job,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      });
      const stop = () => void worker.terminate();
      const late = setTimeout(stop, patience.whole);
      worker.once('exit', () => {
        clearTimeout(late);
        leave();
      });
      const ask = talkTo(worker, patience.portion);
      over.addEventListener('abort', stop, { once: true });
      if (over.aborted) stop();
      return feed(ask, portions(pieces), { stop, workMaxMs: patience.work });
    },
  };
}

type Ask = (ask: PdfAsk) => Promise<Uint8Array>;

/** A question is asked when the one before is answered: neither side runs ahead of the other. */
function talkTo(worker: Worker, answerMaxMs: number): Ask {
  let failure: Error | undefined;
  let waiting: { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  worker.on('message', (bytes: Uint8Array) => waiting?.resolve(bytes));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that makes the PDF has ended.')));
  return async (ask) => {
    const late = setTimeout(() => {
      fail(new Error('A part of a PDF took too long to be set. The PDF was given up.'));
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
      if (worked > workMaxMs) return yield await ask('late');
    }
    yield await ask('end');
  } finally {
    stop();
  }
}

function allTaken(): AppError {
  const message = 'Other PDFs are being made right now. Please try again in a moment, or take TXT.';
  return new AppError(503, 'UNAVAILABLE', message, { retryAfter: RETRY_AFTER_S });
}
