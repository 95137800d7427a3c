import type { Steps } from './commands/call.ts';
import type { Engine } from './engine.ts';
import { CommandError } from './errors.ts';
import { answerBytes, errorAnswer } from './wire/answer.ts';

/** A command on its way. It is answered once, after everything it wrote is durable. */
export interface Job {
  writes: boolean;
  steps: Steps;
  /** begins anew; undefined where that would skip or repeat something */
  again: (() => Steps) | undefined;
  /** when maxTimeMS is over, by the clock of `performance.now` */
  until: number;
  answer: (bytes: Buffer) => void;
  /** nobody waits for the answer any more */
  gone: () => boolean;
}

/** How long one batch may take before commands that are not finished wait for the next. */
const SLICE_MS = 4;

/**
 * Group commit: all commands that arrived in one turn of the event loop run in order inside one transaction; when that is
 * on the disk, all are answered. A command that takes long gives way after a slice and goes on in a later batch.
 */
export class Queue {
  private readonly engine: Engine;
  private arrived: Job[] = [];
  private parked: Job[] = [];
  private scheduled = false;
  private whenIdle: (() => void)[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
  }

  add(job: Job): void {
    this.arrived.push(job);
    this.schedule();
  }

  /** Resolves when there is nothing left to do. */
  idle(): Promise<void> {
    if (!this.scheduled) return Promise.resolve();
    return new Promise((resolve) => this.whenIdle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.scheduled = false;
    const jobs = this.arrived;
    this.arrived = [];
    const resumed = this.parked.shift();
    if (resumed) jobs.push(resumed);
    const answers = this.runBatch(jobs.filter((job) => !job.gone() || job.writes));
    for (const [job, bytes] of answers) job.answer(bytes);
    if (this.arrived.length > 0 || this.parked.length > 0) this.schedule();
    else for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  private runBatch(jobs: Job[]): Map<Job, Buffer> {
    const { storage, catalogue } = this.engine;
    const answers = new Map<Job, Buffer>();
    const parkedBefore = this.parked.length;
    if (!jobs.some(({ writes }) => writes)) {
      this.runJobs(jobs, answers);
      return answers;
    }
    try {
      storage.transact(() => {
        this.runJobs(jobs, answers);
        catalogue.save();
      });
      return answers;
    } catch (error) {
      this.parked.length = parkedBefore;
      catalogue.load();
      return this.refuse(jobs, errorAnswer(storageFailure(error)));
    }
  }

  /** Nothing of the batch is stored: reads, which may have seen what is undone, begin anew; all others are refused. */
  private refuse(jobs: Job[], refusal: Buffer): Map<Job, Buffer> {
    const answers = new Map<Job, Buffer>();
    for (const job of jobs) {
      if (job.again) this.arrived.push({ ...job, steps: job.again() });
      else answers.set(job, refusal);
    }
    return answers;
  }

  private runJobs(jobs: Job[], answers: Map<Job, Buffer>): void {
    const deadline = performance.now() + SLICE_MS;
    for (const job of jobs) {
      const bytes = this.runSlice(job, deadline);
      if (bytes) answers.set(job, bytes);
      else this.parked.push(job);
    }
  }

  /** Runs a command until it ends or the slice is over. Throws only when what it has half written must be undone. */
  private runSlice(job: Job, deadline: number): Buffer | undefined {
    const { storage } = this.engine;
    for (;;) {
      const written = storage.written;
      try {
        const step = job.steps.next();
        if (step.done) return answerBytes(step.value);
      } catch (error) {
        if (error instanceof CommandError || storage.written === written) return errorAnswer(error);
        throw error;
      }
      const now = performance.now();
      if (now > job.until) return errorAnswer(new CommandError(50, 'operation exceeded time limit'));
      if (now > deadline) return undefined;
    }
  }
}

/** Says in MongoDB's way that the disk did not take a batch. LMDB tells a full disk as an input/output error, too. */
function storageFailure(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (!/no space|input\/output|too large|MDB_MAP_FULL/i.test(message)) return error;
  return new CommandError(
    14031,
    `There is no room left on the disk, or it fails (${message}). Nothing of this write is stored.`,
  );
}
