import { Types } from 'mongoose';
import { events } from '../events.ts';
import { AppError } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SiteUsage, StorageUse, UsageKind } from './contract.ts';
import { type Bytes, type UsageDoc, UsageModel } from './model.ts';

/** The overhead of a row besides its text: its other fields and its index entries. */
const ROW_BYTES = 500;
/** The interval at which counters are written to the store; a crash loses at most this much. */
const WRITE_EVERY_MS = 5_000;
/** A growth below this part of the site's limit … */
const SMALL_PART = 0.001;
/** … is written only after so many intervals, so that a lone message is not followed by a write of its counter. */
const SMALL_INTERVALS = 60;
const MAX_OF = { text: 'siteTextBytes', files: 'siteFileBytes' } as const;

/** The bytes that a text counts for, including the overhead of its row. */
export const textBytes = (text: string) => Buffer.byteLength(text) + ROW_BYTES;

/** In-memory counters of what each site has stored, so that a check needs no query. */
export interface Usage {
  of(siteId: string): SiteUsage;
  /** Whether a site may store this many more bytes. */
  fits(siteId: string, more: Partial<Bytes>): boolean;
  /**
   * Recounts a site: `count` gives what was stored before a moment. Additions meanwhile are counted as usual; a deletion
   * meanwhile makes it repeat the count.
   */
  recount(siteId: string, count: (before: Date) => Promise<Bytes>): Promise<void>;
  /** Writes the counters to the store. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** 413: the site's storage is full. @param isVisitor chooses a message for people who cannot free space */
export const siteFull = (isVisitor: boolean) =>
  new AppError(
    413,
    'SITE_FULL',
    isVisitor
      ? 'This chat cannot accept new messages right now. Please contact us another way.'
      : 'This website has no storage left. Delete old chats, or ask the administrator of this server for more.',
  );

const nothing = (): Bytes => ({ text: 0, files: 0 });

/**
 * Creates the counters. They are kept in memory and written every few seconds as increments, so that several processes add
 * up.
 * @param everyMs the interval of writing
 */
export async function createUsage(limits: Limits, everyMs = WRITE_EVERY_MS): Promise<Usage> {
  const stored = new Map<string, Bytes>();
  const added = new Map<string, Bytes>();
  /** What is being written: it counts until the store's answer, which includes it. */
  const writing = new Map<string, Bytes>();
  const shrunk = new Set<string>();
  const used = new Set<string>();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer's write will be, on the clock of `performance.now`. */
  let writtenAt = 0;

  // A process that died with unwritten counts left `inUse` set: its sites are recounted.
  await UsageModel.updateMany({ inUse: true }, { $unset: { countedAt: 1, inUse: 1 } });
  for await (const site of UsageModel.find().lean<UsageDoc>().cursor()) keep(site);

  function keep({ _id, text, files }: UsageDoc): void {
    stored.set(_id.toHexString(), { text, files });
  }

  function grow(siteId: string, { text, files }: Bytes): void {
    const so = added.get(siteId) ?? nothing();
    added.set(siteId, { text: so.text + text, files: so.files + files });
    if (text < 0 || files < 0) shrunk.add(siteId);
    // The first write of a site also marks it for a recount after a crash, so it does not wait.
    writeAfter(used.has(siteId) && isSmall(siteId) ? everyMs * SMALL_INTERVALS : everyMs);
  }

  function isSmall(siteId: string): boolean {
    const { text, files } = added.get(siteId) ?? nothing();
    return (
      Math.abs(text) < limits.max(MAX_OF.text) * SMALL_PART && Math.abs(files) < limits.max(MAX_OF.files) * SMALL_PART
    );
  }

  function writeAfter(ms: number): void {
    const at = performance.now() + ms;
    if (timer !== undefined && writtenAt <= at) return;
    clearTimeout(timer);
    writtenAt = at;
    timer = setTimeout(write, ms).unref();
  }

  function write(): void {
    timer = undefined;
    flush().catch((error) => events.fail(error, 'storage usage'));
  }

  /** One after the other, so that each site has at most one growth on its way to the store. */
  function flush(): Promise<void> {
    const run = running.then(writeAll);
    running = run.catch(() => {});
    return run;
  }

  async function writeAll(): Promise<void> {
    for (const siteId of [...added.keys()]) {
      // Taken now: more may have come since the sites before it were written.
      const growth = added.get(siteId) ?? nothing();
      added.delete(siteId);
      writing.set(siteId, growth);
      used.add(siteId);
      try {
        const site = await UsageModel.findOneAndUpdate(
          { _id: new Types.ObjectId(siteId) },
          { $inc: { text: growth.text, files: growth.files }, $set: { inUse: true } },
          { upsert: true, returnDocument: 'after' },
        ).lean<UsageDoc>();
        writing.delete(siteId);
        keep(site);
        await events.emit('storageCounted', site);
      } catch (error) {
        writing.delete(siteId);
        grow(siteId, growth);
        throw error;
      }
    }
  }

  const bytesOf = (siteId: string, kind: UsageKind) =>
    Math.max(
      0,
      [stored, writing, added].reduce((sum, counts) => sum + (counts.get(siteId)?.[kind] ?? 0), 0),
    );

  function useOf(siteId: string, kind: UsageKind): StorageUse {
    const max = limits.max(MAX_OF[kind]);
    return { bytes: bytesOf(siteId, kind), max: Number.isFinite(max) ? max : null };
  }

  const stopListening = events.on('storageGrew', ({ siteId, ...growth }) => grow(siteId, growth));
  return {
    of: (siteId) => ({ text: useOf(siteId, 'text'), files: useOf(siteId, 'files') }),

    fits: (siteId, more) =>
      (['text', 'files'] as const).every(
        (kind) => more[kind] === undefined || bytesOf(siteId, kind) + more[kind] <= limits.max(MAX_OF[kind]),
      ),

    async recount(siteId, count) {
      await flush();
      shrunk.delete(siteId);
      const _id = new Types.ObjectId(siteId);
      const before = await UsageModel.findById(_id).lean<UsageDoc>();
      const found = await count(new Date());
      if (shrunk.has(siteId)) return;
      const wrong = { text: found.text - (before?.text ?? 0), files: found.files - (before?.files ?? 0) };
      const site = await UsageModel.findOneAndUpdate(
        { _id },
        { $inc: wrong, $set: { countedAt: new Date() } },
        { upsert: true, returnDocument: 'after' },
      ).lean<UsageDoc>();
      keep(site);
      await events.emit('storageCounted', site);
    },

    flush,

    async stop() {
      stopListening();
      await flush();
      clearTimeout(timer);
      const ids = [...used].map((siteId) => new Types.ObjectId(siteId));
      await UsageModel.updateMany({ _id: { $in: ids } }, { $unset: { inUse: 1 } });
    },
  };
}
