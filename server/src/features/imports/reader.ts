import { Worker } from 'node:worker_threads';
import type { PreparedMessage } from '../chats/messages/importedMessages.ts';
import type { ImportFailure, ImportPlan } from './contract.ts';
import type { ConversationHead, FilePreview, PlanFinding, ReaderAnswer, ReaderAsk } from './worker.ts';

const HEAP_MAX_MB = 768;
/** The largest file takes a few seconds on a small machine. Others wait for as long. */
const ANSWER_MAX_MS = 12_000;

/** Why a file cannot be read. */
export class ReadFailure extends Error {
  readonly reason: ImportFailure;

  constructor(reason: ImportFailure) {
    super(reason);
    this.reason = reason;
  }
}

/** Reads a file in a thread of its own, so that large files hold nothing else up. */
export interface Reader {
  /** @throws ReadFailure */
  open(pieces: AsyncIterable<Uint8Array>): Promise<FilePreview>;
  /** @throws ReadFailure */
  plan(plan: ImportPlan, now: number): Promise<PlanFinding>;
  /** The conversations of one step, beginning with this one. @throws ReadFailure */
  heads(first: number): Promise<ConversationHead[]>;
  /** Messages of conversations, as many as fit into a step, ready to be stored. @throws ReadFailure */
  messages(ask: Extract<ReaderAsk, { parts: unknown }>): Promise<PreparedMessage[][]>;
  close(): void;
}

/** Starts a reader. @param workerUrl the built `import-worker` */
export function startReader(workerUrl: URL): Reader {
  const worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB } });
  let isOver = false;
  worker.once('exit', () => {
    isOver = true;
  });
  // It ends with `exit`, too.
  worker.on('error', () => {});

  /** One ask after the other: each answer belongs to the ask before it. */
  function ask(what: ReaderAsk, transfer: ArrayBuffer[] = []): Promise<ReaderAnswer> {
    return new Promise((resolve, reject) => {
      const failWith = (reason: ImportFailure) => finish(() => reject(new ReadFailure(reason)));
      const fail = () => failWith('UNREADABLE');
      // On a machine that is overloaded, any file takes long.
      const late = setTimeout(failWith, ANSWER_MAX_MS, 'UNAVAILABLE');
      function finish(end: () => void): void {
        clearTimeout(late);
        worker.off('message', heard).off('exit', fail);
        end();
      }
      function heard(answer: ReaderAnswer): void {
        finish(() => ('failure' in answer ? reject(new ReadFailure(answer.failure)) : resolve(answer)));
      }
      worker.on('message', heard).on('exit', fail);
      if (isOver) fail();
      else worker.postMessage(what, transfer);
    });
  }

  return {
    async open(pieces) {
      const chunks: Uint8Array[] = [];
      for await (const piece of pieces) chunks.push(piece);
      const bytes = new Uint8Array(Buffer.concat(chunks));
      const answer = await ask({ open: bytes }, [bytes.buffer]);
      if (!('preview' in answer)) throw new ReadFailure('UNREADABLE');
      return answer.preview;
    },
    async plan(plan, now) {
      const answer = await ask({ plan, now });
      if (!('finding' in answer)) throw new ReadFailure('UNREADABLE');
      return answer.finding;
    },
    async heads(first) {
      const answer = await ask({ heads: first });
      if (!('heads' in answer)) throw new ReadFailure('UNREADABLE');
      return answer.heads;
    },
    async messages(parts) {
      const answer = await ask(parts);
      if (!('parts' in answer)) throw new ReadFailure('UNREADABLE');
      return answer.parts;
    },
    close: () => void worker.terminate(),
  };
}
