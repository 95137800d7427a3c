import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { DOCUMENT_SPACE, type Entry, type KeyRange, spaceBytes } from './storage.ts';
import { DATA_FILE, isTreeName, openFile, spaceOfTree, Trees } from './trees.ts';

/** Entries per transaction of a copy, which can be stopped between two transactions. */
const COPY_ENTRIES = 1_000;
/**
 * How many bytes are written before they are flushed to the disk. One flush at the end would block others, who wait for the
 * same disk, for seconds.
 */
const FLUSH_BYTES = 16 * 2 ** 20;

/** How to rewrite the file of an older version, which had one tree for everything, in the present format. */
export interface FormatUpgrade {
  /** Converts an entry of the catalogue. These come first. */
  record(entry: Entry): Entry[];
  /** The rest in parts. The entries of each part come out in the order of their new keys. */
  parts(): UpgradedPart[];
}

export interface UpgradedPart extends KeyRange {
  renew(entry: Entry): Entry;
}

/** The end of the catalogue's keys in an older file, which had them before those of documents and indexes. */
const RECORDS_END = Buffer.from([DOCUMENT_SPACE]);

type Db = RootDatabase<Buffer, Buffer>;
type Snapshot = ReturnType<Db['useReadTransaction']>;

/**
 * Copies a snapshot of the LMDB file in the folder `from` into the folder `to`. Entries are written in key order, so pages
 * are full and the file is as small as possible. Processes that have it open may continue to read and write.
 * @param signal stops the copy and releases what it held
 * @param renewal converts the file of an older version, which no other process may have open
 */
export async function copyLmdb(from: string, to: string, signal: AbortSignal, renewal?: FormatUpgrade): Promise<void> {
  const source = openFile(from, { readOnly: true });
  const target = openFile(to, { noSync: true });
  const trees = new Trees(target);
  const file = await open(join(to, DATA_FILE), 'r+');
  const { snapshot, trees: sourceTrees } = momentOf(source);
  const entries = renewal ? renewed(source, snapshot, renewal) : everything(sourceTrees, snapshot);
  let unflushed = 0;
  const append = ({ done, value }: IteratorResult<Entry, void>) => {
    if (value) {
      trees.need(value.key).put(value.key.subarray(spaceBytes(value.key)), value.value);
      unflushed += value.key.length + value.value.length;
    }
    return done === true;
  };
  try {
    for (let isOver = false; !isOver; await new Promise(setImmediate)) {
      signal.throwIfAborted();
      target.transactionSync(() => {
        for (let n = 0; n < COPY_ENTRIES && !isOver; n++) isOver = append(entries.next());
      });
      if (unflushed < FLUSH_BYTES) continue;
      await file.datasync();
      unflushed = 0;
    }
  } finally {
    entries.return();
    snapshot.done();
    await source.close();
    await target.close();
    await file.close();
  }
}

/**
 * A snapshot of the file, with all trees that it has. They are opened first; where one was created meanwhile, it is tried again.
 */
function momentOf(source: Db): { snapshot: Snapshot; trees: Trees } {
  const trees = new Trees(source);
  for (;;) {
    const snapshot = source.useReadTransaction();
    if (namesIn(source, snapshot).every((name) => trees.of(spaceOfTree(name)))) return { snapshot, trees };
    snapshot.done();
    source.resetReadTxn();
    trees.openAll();
  }
}

function namesIn(source: Db, snapshot: Snapshot): Buffer[] {
  return Array.from(source.getKeys({ transaction: snapshot }), (key) => Buffer.from(key)).filter(isTreeName);
}

function* everything(trees: Trees, snapshot: Snapshot): Generator<Entry, void> {
  for (const entry of trees.main.getRange({ transaction: snapshot })) if (!isTreeName(entry.key)) yield entry;
  for (const name of namesIn(trees.main, snapshot)) {
    const space = spaceOfTree(name);
    for (const { key, value } of trees.of(space)?.db.getRange({ transaction: snapshot }) ?? [])
      yield { key: Buffer.concat([space, key]), value };
  }
}

function* renewed(source: Db, snapshot: Snapshot, { record, parts }: FormatUpgrade): Generator<Entry, void> {
  const records = source.getRange({ end: RECORDS_END, transaction: snapshot });
  for (const { key, value } of records) yield* record({ key: Buffer.from(key), value: Buffer.from(value) });
  for (const { start, end, backwards, renew } of parts()) {
    const range = backwards
      ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true }
      : { start, end };
    for (const { key, value } of source.getRange({ ...range, transaction: snapshot }))
      yield renew({ key: Buffer.from(key), value: Buffer.from(value) });
  }
}
