import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type Refusal, RefusedError } from './pixels.ts';
import { type ReencodedPicture, reencode, reencodeSquare } from './reencode.ts';

/** A job for this process. The picture's bytes come over its standard input. */
export interface PictureJob {
  /** Bytes */
  size: number;
  isSquare: boolean;
}

/**
 * A message of this process: it is ready for its first job; a picture is refused; or a picture is done, and its bytes follow
 * on its standard output.
 */
export type PictureReport =
  | 'ready'
  | { refused: Refusal }
  | { picture: Omit<ReencodedPicture, 'bytes'> & { size: number } };

/** The memory limit of the process. The largest photo, in the most expensive layout, needs three quarters of it. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024;
const LOOK_EVERY_MS = 50;
/** The highest OOM score: when memory runs out, the kernel kills this process and not the server. */
const FIRST_TO_GO = '1000';

let job: PictureJob | null = null;
let pieces: Buffer[] = [];
let arrived = 0;

/** Exits immediately: an orderly exit would wait for the decoder. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

function begin(): void {
  if (!job || arrived < job.size) return;
  const bytes = Buffer.concat(pieces);
  const { isSquare } = job;
  job = null;
  pieces = [];
  arrived = 0;
  (isSquare ? reencodeSquare(bytes) : reencode(bytes)).then(
    ({ bytes, ...about }) => {
      report({ picture: { ...about, size: bytes.length } });
      process.stdout.write(bytes);
    },
    (error: unknown) => report({ refused: error instanceof RefusedError ? error.why : 'damaged' }),
  );
}

function report(message: PictureReport): void {
  process.send?.(message);
}

process.on('disconnect', die);
process.on('message', (message: PictureJob) => {
  job = message;
  begin();
});
process.stdin.on('data', (piece: Buffer) => {
  pieces.push(piece);
  arrived += piece.length;
  begin();
});
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_MAX_BYTES) die();
}, LOOK_EVERY_MS);

// A low priority, so that messages are not delayed by pictures.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO);
report('ready');
