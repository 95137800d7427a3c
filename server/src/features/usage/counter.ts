import { Types } from 'mongoose';
import { events } from '#platform/events';
import { AppError, type Limits, sentence } from '#platform/http';
import type { SiteUsage, StorageUse, UsageKind } from './contract.ts';
import { type Bytes, type UsageDoc, UsageModel } from './model.ts';
import { flushOtherNodes, lostWriters } from './otherNodes.ts';

/** The overhead of a row besides its text: its other fields and its index entries. */
const ROW_BYTES = 500;
/** The interval at which counters are written to the store; a crash loses at most this much. */
const WRITE_EVERY_MS = 5_000;
/** A smaller growth, as a part of the site's limit, is not written at each interval … */
const SMALL_PART = 0.001;
/** … but after so many of them, so that a single message does not cost a write of the counter, too. */
const SMALL_INTERVALS = 60;
/** A growth or shrinkage of this part of the room that is left is written at once: other nodes decide by it, too. */
const PRESSING_PART = 0.1;
/** The interval of reading what other nodes have counted. */
const READ_EVERY_MS = 2_000;
/** Changes of this time are read again: the database may show them in another order than that of its clock. */
const OVERLAP_MS = 10_000;
const KINDS = ['text', 'files'] as const;
const MAX_OF = { text: 'siteTextBytes', files: 'siteFileBytes' } as const;

/** The bytes that a text counts for, including the overhead of its row. */
export const textBytes = (text: string) => Buffer.byteLength(text) + ROW_BYTES;

/** In-memory counters of what each site has stored, so that a check needs no query. */
export interface Usage {
  of(siteId: string): SiteUsage;
  /** Whether a site may store this many more bytes. */
  fits(siteId: string, more: Partial<Bytes>): boolean;
  /**
   * Recounts a site that was not counted since, or whose counts a node took with it when it died. `count` gives what was
   * stored before a moment. Additions meanwhile are counted as usual; after a deletion meanwhile it is left for another time.
   * @returns false if another node did not answer before the signal aborted, so that no site can be counted at present
   */
  recount(siteId: string, since: Date, count: (before: Date) => Promise<Bytes>, signal?: AbortSignal): Promise<boolean>;
  /** Adds files that recounts include. @param count the bytes of a site's that were stored before a moment */
  countAlso(count: (siteId: Types.ObjectId, before: Date) => Promise<number>): void;
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
      ? sentence('This chat cannot accept new messages right now. Please contact us another way.')
      : sentence(
          'This website has no storage left. Delete old chats, or ask the administrator of this server for more.',
        ),
  );

interface UsageDeps {
  limits: Limits;
  /** The id of this node. */
  node?: string;
  /** No other node counts. */
  isAlone?: boolean;
  /** The interval of writing, in milliseconds. */
  everyMs?: number | undefined;
}

/** What was counted and is not written yet; `hasShrunk`: with a deletion among it. */
type Growth = Bytes & { hasShrunk: boolean };
const nothing = (): Growth => ({ text: 0, files: 0, hasShrunk: false });

/**
 * Creates the counters. They are kept in memory and written every few seconds as increments, so that several nodes add up;
 * each reads every few seconds what the others have written.
 */
export async function createUsage({
  limits,
  node = '',
  isAlone = true,
  everyMs = WRITE_EVERY_MS,
}: UsageDeps): Promise<Usage> {
  const stored = new Map<string, Bytes>();
  const added = new Map<string, Growth>();
  /** What is being written: it counts until the store's answer, which includes it. */
  const writing = new Map<string, Growth>();
  const used = new Set<string>();
  const alsoCounted: Parameters<Usage['countAlso']>[0][] = [];
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  /** When the timer's write will be, on the clock of `performance.now`. */
  let writtenAt = 0;
  /** The newest change that was read, by the database's clock. */
  let newestAt = 0;

  for await (const site of UsageModel.find().lean<UsageDoc>().cursor()) keep(site);

  function keep({ _id, text, files, at }: UsageDoc): void {
    stored.set(_id.toHexString(), { text, files });
    newestAt = Math.max(newestAt, at?.getTime() ?? 0);
  }

  function grow(siteId: string, { text, files, hasShrunk }: Growth): void {
    const so = added.get(siteId) ?? nothing();
    added.set(siteId, { text: so.text + text, files: so.files + files, hasShrunk: so.hasShrunk || hasShrunk });
    writeAfter(delayOf(siteId));
  }

  function delayOf(siteId: string): number {
    const growth = added.get(siteId) ?? nothing();
    const isAbove = (part: number, whole: (kind: UsageKind) => number) =>
      KINDS.some((kind) => growth[kind] !== 0 && Math.abs(growth[kind]) >= whole(kind) * part);
    if (!isAlone && isAbove(PRESSING_PART, (kind) => maxOf(kind) - bytesOf(siteId, kind))) return 0;
    // The first write of a site also marks it for a recount after a crash, so it does not wait.
    return used.has(siteId) && !isAbove(SMALL_PART, maxOf) ? everyMs * SMALL_INTERVALS : everyMs;
  }

  function writeAfter(ms: number): void {
    const at = performance.now() + ms;
    if (timer !== undefined && writtenAt <= at) return;
    clearTimeout(timer);
    writtenAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      flush().catch((error) => events.fail(error, 'storage usage'));
    }, ms).unref();
  }

  /** One step after the other: each site has at most one growth on its way, and nothing older replaces what is known. */
  function inLine<Result>(step: () => Promise<Result>): Promise<Result> {
    const run = running.then(step);
    running = run.then(
      () => {},
      () => {},
    );
    return run;
  }

  const flush = () =>
    inLine(async () => {
      for (const siteId of [...added.keys()]) await write(siteId);
    });

  async function write(siteId: string): Promise<void> {
    // Taken now: more may have come since the sites before it were written.
    const growth = added.get(siteId);
    if (!growth) return;
    const { text, files, hasShrunk } = growth;
    added.delete(siteId);
    writing.set(siteId, growth);
    used.add(siteId);
    try {
      await change(siteId, { $inc: { text, files, ...(hasShrunk && { shrinks: 1 }) }, $addToSet: { writers: node } });
    } catch (error) {
      writing.delete(siteId);
      grow(siteId, growth);
      throw error;
    }
  }

  /** @returns null: the site is not as the condition says */
  async function change(siteId: string, update: object, { condition = {}, upsert = true } = {}) {
    const site = await UsageModel.findOneAndUpdate(
      { _id: new Types.ObjectId(siteId), ...condition },
      { ...update, $currentDate: { at: true } },
      { upsert, returnDocument: 'after' },
    ).lean<UsageDoc>();
    writing.delete(siteId);
    if (!site) return;
    keep(site);
    await events.emit('storageCounted', site);
  }

  async function readChanges(): Promise<void> {
    const at = { $gte: new Date(newestAt - OVERLAP_MS) };
    for await (const site of UsageModel.find({ at }).lean<UsageDoc>().cursor()) keep(site);
  }

  const recount: Usage['recount'] = async (siteId, since, count, signal) => {
    const known = await UsageModel.findById(siteId).lean<UsageDoc>();
    const lost = await lostWriters(known ?? {}, node);
    if (!lost.some && known?.countedAt && known.countedAt > since) return true;
    const everybodyWrote = async () => {
      await inLine(() => write(siteId));
      return flushOtherNodes(siteId, node, signal);
    };
    if (!(await everybodyWrote())) return false;
    const before = await UsageModel.findById(siteId).lean<UsageDoc>();
    const now = new Date();
    const found = await count(now);
    for (const filesOf of alsoCounted) found.files += await filesOf(new Types.ObjectId(siteId), now);
    if (!(await everybodyWrote())) return false;
    const wrong = { text: found.text - (before?.text ?? 0), files: found.files - (before?.files ?? 0) };
    const update = {
      $inc: wrong,
      $set: { countedAt: new Date() },
      $unset: { inUse: 1 },
      ...(lost.ids.length > 0 && { $pull: { writers: { $in: lost.ids } } }),
    };
    await inLine(() =>
      // Not null, which the insert would store.
      change(siteId, update, {
        condition: { shrinks: before?.shrinks ?? { $exists: false } },
        upsert: before === null,
      }),
    );
    return true;
  };

  const maxOf = (kind: UsageKind) => limits.max(MAX_OF[kind]);

  const bytesOf = (siteId: string, kind: UsageKind) =>
    Math.max(
      0,
      [stored, writing, added].reduce((sum, counts) => sum + (counts.get(siteId)?.[kind] ?? 0), 0),
    );

  function useOf(siteId: string, kind: UsageKind): StorageUse {
    const max = maxOf(kind);
    return { bytes: bytesOf(siteId, kind), max: Number.isFinite(max) ? max : null };
  }

  const stopListening = events.stopAll([
    events.on('storageGrew', ({ siteId, text, files }) =>
      grow(siteId, { text, files, hasShrunk: text < 0 || files < 0 }),
    ),
    events.everywhere('storageAsked', async ({ siteId }) => {
      await inLine(() => write(siteId));
      events.emitElsewhere('storageWritten', { siteId, node });
    }),
  ]);
  const reading = isAlone ? undefined : setInterval(read, READ_EVERY_MS).unref();
  let isReading = false;
  function read(): void {
    if (isReading) return;
    isReading = true;
    inLine(readChanges)
      .catch((error) => events.fail(error, 'storage usage of other nodes'))
      .finally(() => {
        isReading = false;
      });
  }

  return {
    of: (siteId) => ({ text: useOf(siteId, 'text'), files: useOf(siteId, 'files') }),
    fits: (siteId, more) =>
      KINDS.every((kind) => more[kind] === undefined || bytesOf(siteId, kind) + more[kind] <= maxOf(kind)),
    recount,
    countAlso: (count) => void alsoCounted.push(count),
    flush,
    async stop() {
      stopListening();
      clearInterval(reading);
      await flush();
      clearTimeout(timer);
      const ids = [...used].map((siteId) => new Types.ObjectId(siteId));
      await UsageModel.updateMany({ _id: { $in: ids } }, { $pull: { writers: node } });
    },
  };
}
