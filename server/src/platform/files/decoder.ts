import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { events } from '#platform/events';
import { unavailable } from '#platform/http';
import type { PictureJob, PictureReport } from './picture-worker.ts';
import { RefusedError } from './pixels.ts';
import type { ReencodedPicture } from './reencode.ts';

/** From the first byte to the last. The largest photo takes a second on a small machine. */
const DECODE_MAX_MS = 5_000;
const START_MAX_MS = 10_000;
/** An idle process ends after this long, so that a server without pictures needs no memory for it. */
const IDLE_MAX_MS = 30_000;
/** The wait after a start that failed; it doubles with each further failure (exponential backoff). */
const BACK_OFF_MS = 1_000;
const BACK_OFF_MAX_MS = 60_000;
/** The heap of the decoder's JavaScript, which only passes the bytes on. */
const HEAP_MAX_MB = 64;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/**
 * A separate process that decodes pictures, so that a malicious one cannot exhaust the server's memory or CPU, or crash it.
 */
export interface Decoder {
  /**
   * Re-encodes one picture; one at a time.
   * @param pieces its bytes
   * @throws RefusedError for a picture that cannot be decoded; AppError 503 when the process does not start
   */
  decode(job: PictureJob, pieces: AsyncIterable<Uint8Array>): Promise<ReencodedPicture>;
  /** Kills the process, also in the middle of a picture. */
  end(): void;
}

/**
 * Creates a decoder, whose process starts with the first picture.
 * @param workerUrl the built `picture-worker`
 * @param decodeMaxMs the maximum time for one picture
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
      events.fail(error, 'starting the image process');
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
    // The environment has none of the server's secrets. Few malloc arenas, so that freed memory is used again.
    env: { MALLOC_ARENA_MAX: '2' },
  }) as Child;
  // A closed pipe means that the process has ended, which its `exit` event reports.
  started.stdin.on('error', () => {});
  return started;
}

/**
 * The next message of the process.
 * @throws RefusedError when the process ends instead, because only a picture can end it
 */
function hear(child: Child): Promise<PictureReport> {
  return new Promise((resolve, reject) => {
    const leave = () => void child.off('message', onReport).off('exit', gone).off('error', failed);
    const onReport = (report: PictureReport) => {
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
    child.on('message', onReport).on('exit', gone).on('error', failed);
    if (child.exitCode !== null || child.signalCode !== null) gone(child.exitCode, child.signalCode);
  });
}

async function converse(child: Child, job: PictureJob, pieces: AsyncIterable<Uint8Array>): Promise<ReencodedPicture> {
  const answer = hear(child);
  // If the channel is closed already, the `exit` event reports it.
  child.send(job, () => {});
  const [report] = await Promise.all([answer, feed(child, pieces)]);
  if (report === 'ready') throw new Error('The image process sent an unexpected answer.');
  if ('refused' in report) throw new RefusedError(report.refused);
  const { size, ...about } = report.picture;
  return { ...about, bytes: await collect(child, size) };
}

/**
 * Writes the picture to the process. A failure of the process is reported by its exit; a failure of `pieces` leaves it in
 * the middle of a picture, so it is killed.
 */
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

/** Waits until the stream has room again, or is closed. */
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
