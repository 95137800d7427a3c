import { Long } from 'bson';
import { docField, docsField, fieldBytes, joinFields } from '../bson/raw.ts';
import { encode } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import type { Row, Rows } from '../query/scan.ts';

/** The size of the documents in one answer, so that with its frame it stays below 16 MB. */
const BATCH_BYTES = 16 * 2 ** 20;
export const FIRST_BATCH = 101;
/** A cursor that is not used for this long is closed. */
const IDLE_MS = 10 * 60_000;

/** A query result that is fetched in batches. */
interface Cursor {
  ns: string;
  rows: Rows;
  project: (row: Row) => Buffer;
  /** Rows that were found but not sent yet. */
  pending: Row[];
  usedAt: number;
}

export function createCursor(ns: string, rows: Rows, project: (row: Row) => Buffer): Cursor {
  return { ns, rows, project, pending: [], usedAt: Date.now() };
}

/** The cursors that clients have open. */
export class Cursors {
  private readonly open = new Map<number, Cursor>();
  private last = 0;

  add(cursor: Cursor): number {
    this.open.set(++this.last, cursor);
    return this.last;
  }

  get(id: number, ns: string): Cursor {
    const cursor = this.open.get(id);
    if (!cursor || cursor.ns !== ns) throw new CommandError(43, `cursor id ${id} not found`);
    cursor.usedAt = Date.now();
    return cursor;
  }

  remove(id: number): boolean {
    return this.open.delete(id);
  }

  /** Removes cursors that were idle too long, or whose collection was dropped. */
  sweep(now: number): void {
    for (const [id, cursor] of this.open) if (now - cursor.usedAt > IDLE_MS) this.open.delete(id);
  }

  /** Removes the cursors of a collection that is dropped. */
  removeAll(ns: string): void {
    for (const [id, cursor] of this.open) if (cursor.ns === ns) this.open.delete(id);
  }
}

/** Whether a cursor has returned all its rows. */
export function isOver({ rows, pending }: Cursor): boolean {
  return rows.ended && pending.length === 0;
}

/** Takes up to `size` documents from a cursor, fewer if the answer would become too large. In steps, as commands are. */
export function* takeBatch(cursor: Cursor, size: number): Generator<undefined, Buffer[]> {
  const batch: Buffer[] = [];
  let bytes = 0;
  let looked = false;
  for (;;) {
    while (cursor.pending.length > 0) {
      if (batch.length >= size) return batch;
      const doc = cursor.project(cursor.pending[0] as Row);
      if (batch.length > 0 && bytes + doc.length > BATCH_BYTES) return batch;
      cursor.pending.shift();
      batch.push(doc);
      bytes += doc.length + String(batch.length).length + 2;
    }
    if (cursor.rows.ended || batch.length >= size) return batch;
    if (batch.length > 0 || looked) yield;
    looked = true;
    cursor.pending = cursor.rows.pull(size - batch.length);
  }
}

/** The answer of find, aggregate and getMore. Documents are copied as the bytes in which they are stored. */
export function cursorAnswer(field: 'firstBatch' | 'nextBatch', batch: Buffer[], id: number, ns: string): Buffer {
  const cursor = joinFields([docsField(field, batch), fieldBytes(encode({ id: Long.fromNumber(id), ns }))]);
  return joinFields([docField('cursor', cursor), fieldBytes(encode({ ok: 1 }))]);
}
