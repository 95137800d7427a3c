import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { type Refusal, RefusedError } from './pixels.ts';
import { type Remade, remake, remakeSquare } from './remake.ts';

/** What is asked of this process. The picture itself comes over its standard input. */
export interface PictureJob {
  /** Bytes */
  size: number;
  isSquare: boolean;
}

/** What it answers: that it is ready for its first job; why a picture is refused; or the picture, whose bytes leave by its standard output. */
export type PictureReport = 'ready' | { refused: Refusal } | { picture: Omit<Remade, 'bytes'> & { size: number } };

/** All that the process may take. The largest photo, laid out in the dearest way, needs three quarters of it. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024;
const LOOK_EVERY_MS = 50;
/** The kernel, when it has no memory left, takes this process and not the server. */
const FIRST_TO_GO = '1000';

let job: PictureJob | null = null;
let pieces: Buffer[] = [];
let arrived = 0;

/** At once: an orderly exit would wait for the decoder. */
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
  (isSquare ? remakeSquare(bytes) : remake(bytes)).then(
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
process.on('message', (asked: PictureJob) => {
  job = asked;
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

// Messages go before pictures.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO);
report('ready');
