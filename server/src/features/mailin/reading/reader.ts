import { Worker } from 'node:worker_threads';
import { events } from '#platform/events';
import { unavailable } from '#platform/http';
import { MAIL_MAX_BYTES } from '../contract.ts';
import type { ReadMail } from './mail.ts';
import type { ReaderSays } from './worker.ts';

/** The largest mail takes a second on a small machine. */
const READ_MAX_MS = 10_000;
const START_MAX_MS = 30_000;
const HEAP_MAX_MB = 256;
/** Mails that wait are in memory. */
const WAITING_MAX = 100;
const WAITING_MAX_BYTES = 4 * MAIL_MAX_BYTES;

/** A mail that no try will ever read. */
export class MailUnreadable extends Error {
  readonly reason: 'unreadable' | 'tooLarge';

  constructor(reason: MailUnreadable['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/** Reads mails in one thread, one after the other, so that none holds the server up. */
export interface MailReader {
  /**
   * @param raw the mail as it came
   * @throws MailUnreadable: it is too large, broken, or takes too much time or memory
   * @throws AppError 503: too many mails wait, or the server stops; the same mail may be read later
   */
  read(raw: Uint8Array): Promise<ReadMail>;
  stop(): Promise<void>;
}

/**
 * Creates a reader, whose thread starts with the first mail.
 * @param workerUrl the built `mail-worker`
 * @param readMaxMs the time for one mail
 */
export function createMailReader(workerUrl: URL, readMaxMs = READ_MAX_MS): MailReader {
  let worker: Worker | null = null;
  let isStopped = false;
  let last: Promise<unknown> = Promise.resolve();
  const waiting = { mails: 0, bytes: 0 };

  async function started(): Promise<Worker> {
    if (isStopped) throw unavailable();
    if (worker) return worker;
    const begun = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB } });
    worker = begun;
    // It ends with `exit`, too.
    begun.on('error', () => {});
    begun.once('exit', () => {
      if (worker === begun) worker = null;
    });
    if ((await hear(begun, START_MAX_MS)) === 'ready') return begun;
    throw unavailable();
  }

  async function readNow(raw: Uint8Array): Promise<ReadMail> {
    const thread = await started();
    const copy = new Uint8Array(raw);
    thread.postMessage(copy, [copy.buffer]);
    const said = await hear(thread, readMaxMs);
    if (isStopped) throw unavailable();
    if (said === null) events.fail(new Error('The thread that reads mails has ended.'), 'reading a mail');
    if (said === null || said === 'ready' || said.mail === null) throw new MailUnreadable('unreadable');
    return said.mail;
  }

  return {
    async read(raw) {
      if (raw.length > MAIL_MAX_BYTES) throw new MailUnreadable('tooLarge');
      if (waiting.mails >= WAITING_MAX || waiting.bytes + raw.length > WAITING_MAX_BYTES) throw unavailable();
      waiting.mails++;
      waiting.bytes += raw.length;
      const turn = last.then(() => readNow(raw));
      last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        waiting.mails--;
        waiting.bytes -= raw.length;
      }
    },
    async stop() {
      isStopped = true;
      await worker?.terminate();
    },
  };
}

/** The thread's next message; null: it has ended, or says nothing in time and is ended. */
function hear(worker: Worker, maxMs: number): Promise<ReaderSays | null> {
  return new Promise((resolve) => {
    const finish = (said: ReaderSays | null) => {
      clearTimeout(late);
      worker.off('message', finish).off('exit', gone);
      resolve(said);
    };
    const gone = () => finish(null);
    const late = setTimeout(() => {
      // What it still says is too late: the next mail must not go to a thread that is ending.
      worker.off('message', finish);
      void worker.terminate();
    }, maxMs);
    worker.on('message', finish).on('exit', gone);
  });
}
