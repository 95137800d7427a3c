import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Heading } from './heading.ts';
import type { PdfJob } from './pdf/worker.ts';
import type { Piece } from './pieces.ts';
import { createSlots } from './slots.ts';

/** Each takes a core, and memory that is given back with its thread. */
const PDFS_AT_ONCE = 2;
/** A client gives an export up when nothing has come for half a minute. */
const WAIT_MAX_MS = 20_000;
const HEAP_MAX_MB = 256;

/** Makes PDFs, each in a thread of its own. */
export interface Press {
  /**
   * Begins a PDF as soon as a thread is free; its bytes come as fast as their reader takes them.
   * @param over says when nobody reads any longer: the thread ends
   * @throws AppError 503 when no thread gets free in time
   */
  print(heading: Heading, pieces: AsyncIterable<Piece[]>, over: AbortSignal): Promise<AsyncGenerator<Uint8Array>>;
}

/** @param workerUrl the built `pdf-worker` @param fonts the folder of the font files */
export function createPress({ workerUrl, fonts }: { workerUrl: URL; fonts: URL }): Press {
  const slots = createSlots(PDFS_AT_ONCE, WAIT_MAX_MS);
  return {
    async print(heading, pieces, over) {
      const leave = await slots.take(over);
      const job: PdfJob = { fonts: fileURLToPath(fonts), heading };
      const worker = new Worker(workerUrl, {
        workerData: job,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      });
      worker.once('exit', leave);
      const ask = talkTo(worker);
      const stop = () => void worker.terminate();
      over.addEventListener('abort', stop, { once: true });
      if (over.aborted) stop();
      return feed(ask, pieces, stop);
    },
  };
}

type Ask = (pieces: Piece[] | null) => Promise<Uint8Array>;

/** A question is asked when the one before is answered: neither side runs ahead of the other. */
function talkTo(worker: Worker): Ask {
  let failure: Error | undefined;
  let waiting: { resolve: (bytes: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
  };
  worker.on('message', (bytes: Uint8Array) => waiting?.resolve(bytes));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('The thread that makes the PDF has ended.')));
  return (pieces) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      if (failure) reject(failure);
      else worker.postMessage(pieces);
    });
}

async function* feed(ask: Ask, pieces: AsyncIterable<Piece[]>, stop: () => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const batch of pieces) yield await ask(batch);
    yield await ask(null);
  } finally {
    stop();
  }
}
