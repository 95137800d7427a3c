import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { Unzip, type UnzipDecoder, UnzipPassThrough } from 'fflate';
import type { ReceivedFile } from '#platform/files';
import { invalid, sentence } from '#platform/http';

const inflate = promisify(inflateRaw);

/** The most entries of one file, of any kind. */
const ENTRIES_MAX = 10_000;
/** What all entries together may unpack to in one pass: sizes that stand in the file itself are never believed. */
const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

/** Hands on what is packed: it is unpacked by zlib, in another thread and up to a bound. */
class Packed implements UnzipDecoder {
  static readonly compression = DEFLATED;
  ondata: UnzipDecoder['ondata'] = () => {};
  push(data: Parameters<UnzipDecoder['push']>[0], final: boolean): void {
    this.ondata(null, new Uint8Array(data), final);
  }
}

/** An entry that is wanted, unpacked; `bytes` null: it is larger than it may be, or damaged. */
export interface Entry {
  name: string;
  bytes: Buffer | null;
}

/**
 * Reads a zip file from the beginning to the end, one entry in memory at a time.
 * @param wanted how large an entry may be when unpacked, by its name; null: it is not wanted
 * @throws AppError 422 for what is no zip file, or for more than a help centre has
 */
export async function* entriesOf(
  { pieces }: ReceivedFile,
  wanted: (name: string) => number | null,
): AsyncGenerator<Entry> {
  const found: { name: string; packed: Buffer[]; compression: number; max: number }[] = [];
  let count = 0;
  let unpacked = 0;
  const unzip = new Unzip((file) => {
    count++;
    const max = wanted(file.name);
    if (max === null || file.name.endsWith('/')) return;
    const entry = { name: file.name, packed: [] as Buffer[], compression: file.compression, max };
    file.ondata = (error, data, final) => {
      if (error) throw error;
      entry.packed.push(Buffer.from(data));
      if (final) found.push(entry);
    };
    file.start();
  });
  unzip.register(UnzipPassThrough);
  unzip.register(Packed);
  for await (const piece of pieces()) {
    step(() => unzip.push(Uint8Array.from(piece)));
    await turn();
    if (count > ENTRIES_MAX) throw tooMuch();
    yield* unpack();
  }
  step(() => unzip.push(new Uint8Array(0), true));
  yield* unpack();
  if (count === 0) throw noZip();

  async function* unpack(): AsyncGenerator<Entry> {
    for (const { name, packed, compression, max } of found.splice(0)) {
      const whole = Buffer.concat(packed);
      const bytes = await unpackedOf(whole, compression, max);
      unpacked += bytes?.length ?? max;
      if (unpacked > UNPACKED_MAX_BYTES) throw tooMuch();
      yield { name, bytes };
    }
  }
}

async function unpackedOf(packed: Buffer, compression: number, max: number): Promise<Buffer | null> {
  if (compression === STORED) return packed.length <= max ? packed : null;
  return inflate(packed, { maxOutputLength: max }).catch(() => null);
}

/** Any error of the zip reader means that the file is invalid. */
function step(run: () => void): void {
  try {
    run();
  } catch {
    throw noZip();
  }
}

const noZip = () => invalid([{ msg: sentence('This is not a zip file that can be read.'), path: 'file' }]);
const tooMuch = () =>
  invalid([{ msg: sentence('This zip file has more in it than a help centre can have.'), path: 'file' }]);
