import { decode, isDoc, toNumber } from '../bson/values.ts';
import { badValue, CommandError, typeMismatch } from '../errors.ts';
import { type IndexField, sortKey } from '../indexes.ts';
import type { Row } from './scan.ts';

/** The memory limit of a sort that no index supports. */
const MEMORY_LIMIT_BYTES = 100 * 2 ** 20;

/** The order of a find. `$natural` is the order of the documents themselves. */
export function parseSort(sort: unknown): { fields: IndexField[]; natural: 1 | -1 | undefined } {
  if (sort === undefined || sort === null) return { fields: [], natural: undefined };
  if (!isDoc(sort)) throw typeMismatch('Expected field sort to be of type object');
  const fields: IndexField[] = [];
  for (const [path, direction] of Object.entries(sort)) {
    const number = toNumber(direction);
    if (number !== 1 && number !== -1) {
      if (isDoc(direction)) throw new CommandError(115, 'Sorting by $meta is not supported by the embedded store');
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1 (for descending)`);
    }
    if (path === '$natural') return { fields: [], natural: number };
    fields.push({ path, parts: path.split('.'), descending: number < 0 });
  }
  return { fields, natural: undefined };
}

/** Collects rows and returns them sorted. It keeps at most `limit` of them (0: all). */
export class Sorter {
  private readonly fields: IndexField[];
  private readonly limit: number;
  private rows: { key: Buffer; row: Row }[] = [];
  private bytes = 0;

  constructor(fields: IndexField[], limit: number) {
    this.fields = fields;
    this.limit = limit;
  }

  add(row: Row): void {
    const key = sortKey(this.fields, row.doc ?? decode(row.raw));
    this.rows.push({ key, row: { raw: row.raw } });
    this.bytes += row.raw.length + key.length;
    const isLarge = this.rows.length > this.limit * 2 + SORT_SLACK || this.bytes > MEMORY_LIMIT_BYTES;
    if (this.limit > 0 && this.rows.length > this.limit && isLarge) this.cut();
    if (this.bytes > MEMORY_LIMIT_BYTES) {
      throw new CommandError(
        292,
        `Sort exceeded memory limit of ${MEMORY_LIMIT_BYTES} bytes. Add an index, or narrow the filter.`,
      );
    }
  }

  finish(): Row[] {
    this.cut();
    return this.rows.map(({ row }) => row);
  }

  private cut(): void {
    this.rows.sort((a, b) => Buffer.compare(a.key, b.key));
    if (this.limit > 0) this.rows.length = Math.min(this.rows.length, this.limit);
    this.bytes = this.rows.reduce((sum, { key, row }) => sum + key.length + row.raw.length, 0);
  }
}

/** How many rows beyond twice the limit are collected before the last ones are dropped. */
const SORT_SLACK = 1000;
