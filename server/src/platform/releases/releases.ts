import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { sendWrites } from '#platform/database';
import type { BuiltFile, FindReleaseFile } from '#platform/http';
import { sha256 } from '#platform/secrets';
import { HOUR_MS, SECOND_MS } from '#platform/time';
import { type Builds, HASHED, hashedFiles, type OwnFile, readDocument } from './builds.ts';
import { type ReleaseDoc, type ReleaseFileDoc, ReleaseFileModel, ReleaseModel } from './model.ts';

/** How long after its start a server that is alone stores its files: one that ends sooner has hardly any pages open. */
const KEPT_AFTER_MS = 5 * SECOND_MS;
/** The interval of the heartbeat of a running release. */
const RUNS_EVERY_MS = HOUR_MS;
/** How often unknown names make a server read which files there are: guesses of strangers cost no more than that. */
const NAMES_READ_EVERY_MS = SECOND_MS;
/** The files asked for last stay in memory. */
const HELD_MAX = 16;
/** Bytes that are written with one command. */
const BATCH_BYTES = 2 ** 20;
const DUPLICATE_KEY = 11_000;

/** The files of all releases that pages may still ask for. */
export interface Releases {
  find: FindReleaseFile;
  /**
   * Stores this server's own files in the background, and says hourly that its release runs.
   * @param isAlone whether no other node may be asked for these files, so that there is time
   * @returns when they are stored, if it began at once, and a disposer
   */
  start(isAlone: boolean): { kept: Promise<void>; stop: () => Promise<void> };
}

/** What the files of the releases are kept with. */
interface ReleasesDeps {
  builds: Builds;
  now: () => number;
  report: (error: unknown, what: string) => void;
  keptAfterMs: number | undefined;
}

/**
 * Keeps the hashed files of this server's build in the database, where the servers of later releases, and other nodes during an
 * upgrade, find them: a page loads the parts of its own release as long as it is open. Nothing else is ever stored there.
 */
export function createReleases({ builds, now, report, keptAfterMs = KEPT_AFTER_MS }: ReleasesDeps): Releases {
  let currentFiles: OwnFile[] | undefined;

  async function keep(): Promise<void> {
    currentFiles ??= await hashedFiles(builds);
    if (currentFiles.length === 0) return;
    const files = currentFiles.map(({ name, bytes }) => ({ name, bytes }));
    const names = files.map(({ name }) => name);
    const runs = { $set: { runsAt: new Date(now()) }, $setOnInsert: { files } };
    await ReleaseModel.updateOne({ _id: sha256(names.join()) }, runs, { upsert: true });
    const stored = await ReleaseFileModel.find({ _id: { $in: names } }, { _id: 1 }).lean<ReleaseFileDoc[]>();
    const there = new Set(stored.map(({ _id }) => _id));
    await store(currentFiles.filter(({ name }) => !there.has(name)));
  }

  return {
    find: createFinder(),
    start(isAlone) {
      let running = Promise.resolve();
      let timer: NodeJS.Timeout;
      let isOver = false;

      function round(): void {
        running = keep()
          .catch((error) => report(error, 'keeping the files of this release'))
          .then(() => comeRound(RUNS_EVERY_MS));
      }

      function comeRound(afterMs: number): void {
        if (!isOver) timer = setTimeout(round, afterMs).unref();
      }

      if (isAlone) comeRound(keptAfterMs);
      else round();
      return {
        kept: running,
        async stop() {
          isOver = true;
          clearTimeout(timer);
          await running;
        },
      };
    },
  };
}

/** Writes files in batches. Another node of the same release may write the same ones. */
async function store(files: OwnFile[]): Promise<void> {
  let batch: ReleaseFileDoc[] = [];
  let size = 0;
  for (const [at, file] of files.entries()) {
    batch.push(await readDocument(file));
    size += file.bytes;
    if (size < BATCH_BYTES && at < files.length - 1) continue;
    const { writeErrors } = await sendWrites({ insert: ReleaseFileModel.collection.name, documents: batch });
    const failure = writeErrors.find(({ code }) => code !== DUPLICATE_KEY);
    if (failure) throw new Error(failure.errmsg);
    batch = [];
    size = 0;
  }
}

/** Finds files by their names. Those that no release has cost one read of all names in a while, however many are asked for. */
function createFinder(): FindReleaseFile {
  const loadedFiles = new Map<string, Promise<BuiltFile | null>>();
  let names = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  /** Waits until the names may be read again: a node that has just started may have stored this one since the last time. */
  async function readNames(): Promise<void> {
    await sleep(Math.max(0, readAt + NAMES_READ_EVERY_MS - performance.now()));
    readAt = performance.now();
    const releases = await ReleaseModel.find({}, { 'files.name': 1 }).lean<ReleaseDoc[]>();
    names = new Set(releases.flatMap(({ files }) => files.map(({ name }) => name)));
  }

  async function isKept(name: string): Promise<boolean> {
    if (names.has(name)) return true;
    reading ??= readNames().finally(() => {
      reading = null;
    });
    await reading;
    return names.has(name);
  }

  return async (name) => {
    if (!HASHED.test(name) || !(await isKept(name))) return null;
    const file = loadedFiles.get(name) ?? readKept(name);
    // Set anew, so that the map is in the order of the last use.
    loadedFiles.delete(name);
    loadedFiles.set(name, file);
    for (const oldest of loadedFiles.keys()) if (loadedFiles.size > HELD_MAX) loadedFiles.delete(oldest);
    const found = await file.catch(() => null);
    if (!found) loadedFiles.delete(name);
    return file;
  };
}

async function readKept(name: string): Promise<BuiltFile | null> {
  const { plain, br, gzip } = (await ReleaseFileModel.findById(name)) ?? {};
  if (gzip)
    return {
      plain: gunzipSync(gzip),
      encoded: br
        ? [
            ['br', br],
            ['gzip', gzip],
          ]
        : [['gzip', gzip]],
    };
  return plain ? { plain, encoded: [] } : null;
}
