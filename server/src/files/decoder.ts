import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { events } from '../events.ts';
import { unavailable } from '../http/errors.ts';
import type { PictureJob, PictureReport } from './picture-worker.ts';
import { RefusedError } from './pixels.ts';
import type { Remade } from './remake.ts';

/** From the first byte to the last. The largest photo takes a second on a small machine. */
const DECODE_MAX_MS = 5_000;
const START_MAX_MS = 10_000;
/** A process that nobody needed for so long ends: a server without pictures weighs nothing more. */
const IDLE_MAX_MS = 30_000;
/** After a start that failed, the next one waits, each time twice as long. */
const BACK_OFF_MS = 1_000;
const BACK_OFF_MAX_MS = 60_000;
/** Of the decoder's JavaScript, which only passes the bytes on. */
const HEAP_MAX_MB = 64;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A process of its own in which pictures are read, so that none can take the server's memory, time or life. */
export interface Decoder {
  /**
   * Makes one picture anew; one at a time.
   * @param pieces its bytes
   * @throws RefusedError; AppError 503 when the process does not start
   */
  decode(job: PictureJob, pieces: AsyncIterable<Uint8Array>): Promise<Remade>;
  /** Ends the process, whatever it does. */
  end(): void;
}

/**
 * The process starts with the first picture.
 * @param workerUrl the built `picture-worker`
 * @param decodeMaxMs how long one picture may take
 */
export function createDecoder(workerUrl: URL, decodeMaxMs = DECODE_MAX_MS): Decoder {
  let child: Child | undefined;
  let idle: NodeJS.Timeout | undefined;
  let failures = 0;
  let restUntil = 0;

  function end(): void {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = undefined;
  }

  async function start(): Promise<Child> {
    if (performance.now() < restUntil) throw unavailable();
    const started = spawnWorker(workerUrl);
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    const late = setTimeout(() => started.kill('SIGKILL'), START_MAX_MS);
    try {
      await hear(started);
      failures = 0;
      return started;
    } catch (error) {
      restUntil = performance.now() + Math.min(BACK_OFF_MS * 2 ** failures++, BACK_OFF_MAX_MS);
      events.fail(error, 'starting the process that reads pictures');
      throw unavailable();
    } finally {
      clearTimeout(late);
    }
  }

  return {
    end,
    async decode(job, pieces) {
      clearTimeout(idle);
      if (!child || child.killed) child = await start();
      const busy = child;
      const late = setTimeout(() => busy.kill('SIGKILL'), decodeMaxMs);
      try {
        return await converse(busy, job, pieces);
      } finally {
        clearTimeout(late);
        idle = setTimeout(end, IDLE_MAX_MS).unref();
      }
    },
  };
}

function spawnWorker(workerUrl: URL): Child {
  const started = spawn(process.execPath, [`--max-old-space-size=${HEAP_MAX_MB}`, fileURLToPath(workerUrl)], {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    // None of the server's secrets. Few arenas, so that what is freed is used again.
    env: { MALLOC_ARENA_MAX: '2' },
  }) as Child;
  // Whoever waits for it hears of its end by its exit.
  started.stdin.on('error', () => {});
  return started;
}

/** The next thing that the process says. @throws RefusedError when it ends instead: of all that it does, only pictures can end it */
function hear(child: Child): Promise<PictureReport> {
  return new Promise((resolve, reject) => {
    const leave = () => void child.off('message', told).off('exit', gone).off('error', failed);
    const told = (report: PictureReport) => {
      leave();
      resolve(report);
    };
    const gone = (_code: number | null, signal: NodeJS.Signals | null) => {
      leave();
      reject(new RefusedError(signal === 'SIGKILL' ? 'heavy' : 'damaged'));
    };
    const failed = (error: Error) => {
      leave();
      reject(error);
    };
    child.on('message', told).on('exit', gone).on('error', failed);
    if (child.exitCode !== null || child.signalCode !== null) gone(child.exitCode, child.signalCode);
  });
}

async function converse(child: Child, job: PictureJob, pieces: AsyncIterable<Uint8Array>): Promise<Remade> {
  const answer = hear(child);
  // Closed already: its exit tells.
  child.send(job, () => {});
  const [report] = await Promise.all([answer, feed(child, pieces)]);
  if (report === 'ready') throw new Error('The process that reads pictures has answered out of turn.');
  if ('refused' in report) throw new RefusedError(report.refused);
  const { size, ...about } = report.picture;
  return { ...about, bytes: await collect(child, size) };
}

/** What fails at the process itself is told by its exit; what fails at the pieces leaves it in the middle of a picture, and ends it. */
async function feed(child: Child, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (child.stdin.destroyed) return;
      if (!child.stdin.write(piece)) await room(child.stdin);
    }
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Waits until there is room for more, or for nothing any longer. */
function room(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      stream.off('drain', go).off('close', go);
      resolve();
    };
    stream.on('drain', go).on('close', go);
  });
}

async function collect(child: Child, size: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let arrived = 0;
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    arrived += part.length;
    if (arrived >= size) return Buffer.concat(parts);
  }
  throw new RefusedError('heavy');
}
