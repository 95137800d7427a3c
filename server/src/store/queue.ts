import { resumeBuilds, sweepDropped } from './building.ts';
import type { Steps } from './commands/call.ts';
import type { Engine } from './engine.ts';
import { CommandError } from './errors.ts';
import { StorageError } from './storage/storage.ts';
import { answerBytes, errorAnswer } from './wire/answer.ts';

/** A command in the queue. It is answered once, after everything it wrote is durable. */
export interface Job {
  writes: boolean;
  steps: Steps;
  /** Starts it from the beginning; undefined where that would skip or repeat something. */
  again: (() => Steps) | undefined;
  /** When maxTimeMS is over, in the time of `performance.now`. */
  until: number;
  answer: (bytes: Buffer) => void;
  /** Whether the client has gone, so that the answer is not needed. */
  gone: () => boolean;
  /** The next start of the store continues it, so `close` does not wait for its end. */
  resumable: boolean;
  /** It lets other commands go first once it has proved to be long. */
  patient: boolean;
  /** A read whose client waits for none of its own writes: it may be answered before those of others are durable. */
  early: boolean;
}

/** A job of the store itself, without a client. */
export function internalJob(steps: Steps<unknown>, done: () => void = () => {}): Job {
  const nobody = { again: undefined, until: Number.POSITIVE_INFINITY, gone: () => false, early: false };
  return { ...nobody, writes: true, resumable: true, patient: true, steps: silently(steps), answer: done };
}

function* silently(steps: Steps<unknown>): Steps {
  yield* steps;
  return {};
}

/** The part of a slice reserved for commands that gave way earlier, however many new ones have arrived. */
const SHARE_OF_PARKED = 0.5;
/** The part of a slice after which a patient command counts as long. */
const LONG = 0.5;
/** The part of a slice for long commands while finished ones wait for the batch to be stored. */
const SHARE_OF_LONG = 0.25;

/** How long the removal of dropped data pauses after the disk has refused it. */
const SWEEP_PAUSE_MS = 10_000;

/** Returned from the steps of a command that is not continued: its `finally` blocks run and release what it holds. */
const NEVER_READ = {};

/** The outcome of the commands of a batch. */
interface Batch {
  /** The commands that made a step in it; their writes are undone if the batch fails. */
  ran: Set<Job>;
  answers: Map<Job, Buffer>;
}

/**
 * Group commit: the commands that arrived in one turn of the event loop, and those that gave way before, run in order inside
 * one transaction. When that is on the disk, all that have ended are answered. Reads that arrived with writes of others run
 * before the transaction and are answered at once, so that they do not wait for the disk. The length of a batch is measured
 * in work done, not in time.
 */
export class Queue {
  private readonly engine: Engine;
  private arrived: Job[] = [];
  private parked: Job[] = [];
  /** Commands of which an earlier batch is already stored. */
  private readonly begun = new WeakSet<Job>();
  /** The work that unfinished commands have used so far. */
  private readonly spent = new WeakMap<Job, number>();
  private scheduled = false;
  private sweeping = false;
  private closing = false;
  private whenIdle: (() => void)[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
  }

  add(job: Job): void {
    if (this.closing && job.resumable) return;
    this.arrived.push(job);
    this.schedule();
  }

  /** Continues the work that an earlier process left unfinished. */
  resume(): void {
    this.add(internalJob(resumeBuilds(this.engine)));
  }

  /** Resolves when everything is done except what the next start continues. */
  async close(): Promise<void> {
    this.closing = true;
    this.arrived = this.arrived.filter(({ resumable }) => !resumable);
    this.parked = this.parked.filter(({ resumable }) => !resumable);
    await this.idle();
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
    const isWanted = (job: Job) => job.writes || !job.gone();
    const wanted = this.arrived.filter(isWanted);
    this.arrived = [];
    this.parked = this.parked.filter(isWanted);
    const arrived = this.answerEarly(wanted);
    for (const [job, bytes] of this.runBatch(arrived)) job.answer(bytes);
    this.sweepDropped();
    if (this.arrived.length > 0 || this.parked.length > 0) this.schedule();
    else for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  /** Runs the early reads, which see what is stored, for one slice. @returns the other commands, and the reads not finished */
  private answerEarly(arrived: Job[]): Job[] {
    const { storage, sliceWork } = this.engine;
    if (![...arrived, ...this.parked].some(({ writes }) => writes)) return arrived;
    const end = storage.work + sliceWork;
    return arrived.filter((job) => {
      if (!job.early || storage.work >= end) return true;
      const bytes = this.run(job, end);
      if (bytes) job.answer(bytes);
      return !bytes;
    });
  }

  private sweepDropped(): void {
    if (this.sweeping || !this.engine.catalogue.nextDropped()) return;
    this.sweeping = true;
    const again = () => {
      this.sweeping = false;
    };
    // the cause, such as a full disk, would refuse it again at once
    const ended = () =>
      this.engine.catalogue.nextDropped() ? void setTimeout(again, SWEEP_PAUSE_MS).unref() : again();
    this.add(internalJob(sweepDropped(this.engine), ended));
  }

  private runBatch(arrived: Job[]): Map<Job, Buffer> {
    const { storage, catalogue } = this.engine;
    const batch: Batch = { ran: new Set(), answers: new Map() };
    if (![...arrived, ...this.parked].some(({ writes }) => writes)) {
      this.runJobs(arrived, batch);
      return batch.answers;
    }
    try {
      storage.transact(() => {
        this.runJobs(arrived, batch);
        catalogue.save();
      });
      for (const job of batch.ran) this.begun.add(job);
      return batch.answers;
    } catch (error) {
      // rethrown, so the thread and its process end: the file is consistent, but the memory may not be
      if (!(error instanceof StorageError) || isFatal(error)) throw error;
      catalogue.load();
      return this.refuse(batch.ran, error);
    }
  }

  /**
   * Handles a batch that was not stored. Reads may have seen writes that are now undone, so they start again; all others are
   * refused.
   */
  private refuse(ran: Set<Job>, error: StorageError): Map<Job, Buffer> {
    const answers = new Map<Job, Buffer>();
    this.parked = this.parked.filter((job) => !ran.has(job));
    for (const job of ran) {
      job.steps.return(NEVER_READ);
      if (job.again) this.arrived.push({ ...job, steps: job.again() });
      else answers.set(job, errorAnswer(storageFailure(error, this.begun.has(job))));
    }
    return answers;
  }

  /**
   * New commands begin first; then those that gave way continue in turn, one step each, until the slice is used up. Long
   * commands come last, and get little while others wait for the end of the batch, so that a message does not wait for a
   * purge.
   */
  private runJobs(arrived: Job[], { ran, answers }: Batch): void {
    const { storage, sliceWork } = this.engine;
    const end = storage.work + sliceWork;
    const unfinished: Job[] = [];
    const run = (job: Job, until: number, others: Job[]) => {
      ran.add(job);
      const before = storage.work;
      const bytes = this.run(job, until);
      this.spent.set(job, (this.spent.get(job) ?? 0) + storage.work - before);
      if (bytes) answers.set(job, bytes);
      else others.push(job);
    };
    const goOn = (jobs: Job[], until: number) => {
      for (let job = jobs.shift(); job; job = jobs.shift()) {
        run(job, storage.work, jobs);
        if (storage.work >= until) break;
      }
    };
    for (const job of arrived) {
      const endOfShort = job.patient ? storage.work + sliceWork * LONG : end;
      run(job, Math.min(end, endOfShort), unfinished);
    }
    const isLong = (job: Job) => job.patient && (this.spent.get(job) ?? 0) > sliceWork * LONG;
    const [long, short] = [this.parked.filter(isLong), this.parked.filter((job) => !isLong(job))];
    goOn(short, Math.max(end, storage.work + sliceWork * SHARE_OF_PARKED));
    goOn(long, answers.size > 0 ? storage.work + sliceWork * SHARE_OF_LONG : end);
    this.parked = [...short, ...long, ...unfinished];
  }

  /**
   * Runs a command until it ends, or, after at least one step, until the work counter reaches `end`. Its failure is its own
   * answer.
   */
  private run(job: Job, end: number): Buffer | undefined {
    for (;;) {
      try {
        const step = job.steps.next();
        if (step.done) return answerBytes(step.value);
      } catch (error) {
        // each document is written completely or not at all, so only a failure of the storage can leave a write incomplete
        if (error instanceof StorageError) throw error;
        return errorAnswer(error);
      }
      if (performance.now() > job.until) {
        job.steps.return(NEVER_READ);
        return errorAnswer(new CommandError(50, 'operation exceeded time limit'));
      }
      if (this.engine.storage.work >= end) return undefined;
    }
  }
}

/** Whether LMDB has reported an error after which it refuses every further write. */
function isFatal({ message }: StorageError): boolean {
  return /MDB_PANIC|MDB_CORRUPTED|fatal error/i.test(message);
}

/** The answer in MongoDB's terms when the disk refused a batch. LMDB reports a full disk as an input/output error, too. */
function storageFailure({ message }: StorageError, hasBegun: boolean): CommandError {
  const extent = hasBegun ? 'What it wrote before that is stored.' : 'Nothing of this write is stored.';
  if (!/no space|input\/output|too large|MDB_MAP_FULL/i.test(message))
    return new CommandError(1, `The store failed: ${message}. ${extent}`);
  return new CommandError(14031, `The disk is full or failing (${message}). ${extent}`);
}
