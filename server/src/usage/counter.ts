import { Types } from 'mongoose';
import { events } from '../events.ts';
import { AppError } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { SiteUsage, StorageUse, UsageKind } from './contract.ts';
import { type Bytes, type UsageDoc, UsageModel } from './model.ts';

/** What a row takes beside its text: its other fields, and what it is found by. */
const ROW_BYTES = 500;
/** What is counted waits so long until it is written down: a crash costs no more. */
const WRITE_EVERY_MS = 5_000;
const MAX_OF = { text: 'siteTextBytes', files: 'siteFileBytes' } as const;

/** How much a text counts, with the row that carries it. */
export const textBytes = (text: string) => Buffer.byteLength(text) + ROW_BYTES;

/** Knows at any time what each site has stored, without asking the store. */
export interface Usage {
  of(siteId: string): SiteUsage;
  /** Whether a site may store this much more. */
  fits(siteId: string, more: Partial<Bytes>): boolean;
  /**
   * Counts a site anew: `count` gives what was stored before a moment. What comes meanwhile is counted as ever, and what goes
   * meanwhile has it repeated.
   */
  recount(siteId: string, count: (before: Date) => Promise<Bytes>): Promise<void>;
  /** Writes down what was counted. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** 413: the site has no room. @param isVisitor who cannot do anything about it */
export const siteFull = (isVisitor: boolean) =>
  new AppError(
    413,
    'SITE_FULL',
    isVisitor
      ? 'This chat cannot take anything new right now. Please reach us another way.'
      : 'This website has no storage left. Delete old chats, or ask whoever runs this server for more.',
  );

const nothing = (): Bytes => ({ text: 0, files: 0 });

/**
 * Counts what sites store: in memory, written down every few seconds as what was added, so that several processes add up.
 * @param everyMs how often
 */
export async function createUsage(limits: Limits, everyMs = WRITE_EVERY_MS): Promise<Usage> {
  const stored = new Map<string, Bytes>();
  const added = new Map<string, Bytes>();
  const shrunk = new Set<string>();
  const used = new Set<string>();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  // Whoever died with something not written down is counted anew.
  await UsageModel.updateMany({ inUse: true }, { $unset: { countedAt: 1, inUse: 1 } });
  for await (const site of UsageModel.find().lean<UsageDoc>().cursor()) keep(site);

  function keep({ _id, text, files }: UsageDoc): void {
    stored.set(_id.toHexString(), { text, files });
  }

  function grow(siteId: string, { text, files }: Bytes): void {
    const so = added.get(siteId) ?? nothing();
    added.set(siteId, { text: so.text + text, files: so.files + files });
    if (text < 0 || files < 0) shrunk.add(siteId);
    timer ??= setTimeout(write, everyMs).unref();
  }

  function write(): void {
    timer = undefined;
    running = running.then(flush).catch((error) => events.fail(error, 'what sites store'));
  }

  async function flush(): Promise<void> {
    const growths = [...added];
    for (const [siteId, growth] of growths) {
      added.delete(siteId);
      used.add(siteId);
      try {
        const site = await UsageModel.findOneAndUpdate(
          { _id: new Types.ObjectId(siteId) },
          { $inc: { text: growth.text, files: growth.files }, $set: { inUse: true } },
          { upsert: true, returnDocument: 'after' },
        ).lean<UsageDoc>();
        keep(site);
        await events.emit('storageCounted', site);
      } catch (error) {
        grow(siteId, growth);
        throw error;
      }
    }
  }

  const bytesOf = (siteId: string, kind: UsageKind) =>
    Math.max(0, (stored.get(siteId)?.[kind] ?? 0) + (added.get(siteId)?.[kind] ?? 0));

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
      await running;
      await flush();
      clearTimeout(timer);
      const ids = [...used].map((siteId) => new Types.ObjectId(siteId));
      await UsageModel.updateMany({ _id: { $in: ids } }, { $unset: { inUse: 1 } });
    },
  };
}
